/** The collections of `/map`, and the landing page's text about them. */
import { sql } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import { CollectionNotFound, readable, type Admission } from "../collections/access.ts";
import { asOf, isSpatial, sourceOf, spatial, type Collection } from "../collections/collections.ts";
import { crsOfAll } from "../crs/crs.ts";
import { instantOf } from "../exchange/parameters/datetime.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { boundsAround, spatialExtent } from "../collections/bounds.ts";
import { reading } from "../collections/reach.ts";
import { commonCrs, extentOf } from "./mapFrame.ts";
import type { Maps } from "./maps.ts";
import { readRasterHeader } from "./rasterFile.ts";

/** The collections that `collections` names, the lowest first. */
export async function chosenCollections(exchange: Exchange, names: readonly string[]): Promise<Admission> {
  const { collections: all, parameters, addresses, config } = exchange;
  const prefix = `${addresses.of(["collections"])}/`;
  const ids = names.map((id) => (id.startsWith(prefix) ? decoded(id.slice(prefix.length)) : id));
  if (ids.length > config.mapCollections)
    throw new GatewayError("INVALID_PARAMETER", `collections: a map shows at most ${config.mapCollections}`);
  const named = [...new Set(ids)].map((id) => {
    const collection = all.get(id);
    if (!collection) throw new CollectionNotFound(id);
    if (collection.routine)
      throw new GatewayError("INVALID_PARAMETER", `collections: ${id} is a function, which has a map of its own`);
    return collection;
  });
  const { collections, confirm } = await exchange.admit(named);
  if (new Set(collections.map(({ schema }) => schema)).size > 1)
    throw new GatewayError("INVALID_PARAMETER", "collections: all must be of one schema");
  return { collections: collections.map((collection) => asOf(spatial(collection), instantOf(parameters))), confirm };
}

/**
 * The collections of `/map` for the caller when `collections` is missing, the lowest first. Throws where there are
 * none, or too many.
 */
export async function defaultCollections(exchange: Exchange): Promise<Collection[]> {
  const { config, parameters, maps } = exchange;
  const seen = await seenByDefault(exchange);
  if (seen.length === 0)
    throw new GatewayError("INVALID_PARAMETER", "collections: the caller may see none, so there is no map of all");
  if (seen.length > config.mapCollections)
    throw new GatewayError(
      "INVALID_PARAMETER",
      `collections: there are ${seen.length}, but a map shows at most ${config.mapCollections}: name the wanted ones`,
    );
  const hidden = await hiddenRasters(exchange, seen);
  const open = seen.filter((collection) => !hidden.includes(collection));
  const shown = maps ? await withoutBroken(exchange, maps, open) : open;
  return shown.map((collection) => asOf(collection, instantOf(parameters)));
}

/**
 * Whether a collection is on the map of all. A function is not: it has its own map, whose address has its arguments.
 */
const isOfAll = (collection: Collection): boolean => isSpatial(collection) && !collection.routine;

/** All collections with a geometry that the caller may see in the default schema, or in all schemas, by schema and name; rasters first. */
export async function seenByDefault(exchange: Exchange): Promise<Collection[]> {
  const { config, collections } = exchange;
  const all = [...collections.values()].filter(
    (collection) => isOfAll(collection) && collection.schema === (config.defaultSchema ?? collection.schema),
  );
  if (all.length === 0) return [];
  const seen = await readable(exchange, all);
  return [...seen.filter(({ raster }) => raster), ...seen.filter(({ raster }) => !raster)];
}

/** Leaves out rasters with an unreadable file. The raster's own map reports the fault. */
async function withoutBroken(
  { request }: Exchange,
  { log, rasterDirectory }: Maps,
  collections: readonly Collection[],
): Promise<Collection[]> {
  const whole = await Promise.all(
    collections.map(async ({ id, raster }) => {
      if (!raster) return true;
      return readRasterHeader(rasterDirectory, raster.file).then(
        () => true,
        (error: unknown) => {
          log.warn({ requestId: request.requestId, collection: id, err: error }, "a raster is left out of the map");
          return false;
        },
      );
    }),
  );
  return collections.filter((_, index) => whole[index]);
}

/**
 * OGC 20-058 /req/dataset-map/desc-extent and desc-crs: the extent of that map, and the systems that it is available
 * in.
 */
export async function datasetMapContent(exchange: Exchange): Promise<object> {
  const { maps, config, extents } = exchange;
  const collections = maps ? await seenByDefault(exchange) : [];
  if (collections.length === 0 || collections.length > config.mapCollections) return {};
  const degrees = await extentOf(exchange, collections);
  const storageCrs = config.mapCrs === "storage" ? commonCrs(collections) : undefined;
  const known = storageCrs ? await extents.ofAll(exchange, collections) : [];
  const storage = boundsAround(known.flatMap((extent) => (extent?.storage ? [extent.storage] : [])));
  return {
    extent: { spatial: spatialExtent({ degrees, storage }, storageCrs) },
    crs: crsOfAll(collections).map(({ uri }) => uri),
    ...(storageCrs && storage && { storageCrs: storageCrs.uri }),
  };
}

/** Decodes the id in an address of a collection. Throws `INVALID_PARAMETER` for invalid percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new GatewayError("INVALID_PARAMETER", "collections: an address is not percent-encoded UTF-8", { cause });
  }
}

/**
 * The rasters that the caller does not see. The only row of a raster's table stands for it, so a caller who does not
 * see the row does not see the raster.
 */
export async function hiddenRasters(exchange: Exchange, collections: readonly Collection[]): Promise<Collection[]> {
  const hidden: Collection[] = [];
  for (const collection of collections.filter(({ raster, rowSecurity }) => raster && rowSecurity))
    if ((await countSeen(exchange, collection, 1)) === 0) hidden.push(collection);
  return hidden;
}

/** The number of rows that the caller sees, up to a limit. Throws PostgreSQL's 42501. */
export async function countSeen(exchange: Exchange, collection: Collection, most: number): Promise<number> {
  const { database, identity, context } = exchange;
  const { text } = sql.compile(sql`select from ${sourceOf(collection)} limit ${sql.literal(most)}`);
  const { rowCount } = await database.withIdentity(identity, reading(context, collection, false), (transaction) =>
    transaction.query({ text, last: true }),
  );
  return rowCount ?? 0;
}
