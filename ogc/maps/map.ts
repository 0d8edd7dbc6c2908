/** `/collections/{collectionId}/map` and `/map`: pictures, drawn by MapServer under the caller's own rights. */
import { sql } from "pg-sql2";
import { GatewayError, SQLSTATE, sqlstateOf } from "../../server/kernel/errors.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import { notFound, readable, refusal, type Admission } from "../access.ts";
import { asOf, sourceOf, type Collection } from "../collections.ts";
import { CRS84 } from "../crs.ts";
import { contentDatetime, instantOf } from "../datetime.ts";
import type { CollectionExchange, Exchange } from "../exchange.ts";
import { HTML } from "../formats.ts";
import { linkHeaders } from "../links.ts";
import { mapConnection } from "./mapConnection.ts";
import { cropped, drawable } from "./mapCrop.ts";
import { extentOf, contentBbox, frameOf, type Frame } from "./mapFrame.ts";
import { defaultSchema } from "./mapLinks.ts";
import { rasterLayer, vectorLayers, type LayerSource, type MapLayer } from "./mapLayer.ts";
import type { Mapfile } from "./mapfile.ts";
import { sendImage } from "./mapImage.ts";
import { backgroundOf, queryOf } from "./mapQuery.ts";
import type { Maps } from "./maps.ts";
import { mapPage } from "../pages/mapPage.ts";
import { checkRasterFile } from "./rasterFile.ts";
import { columnsOf } from "./style.ts";
import { styleOf } from "./styleOf.ts";

const MAX_COLLECTIONS = 50;

export function collectionMap(exchange: CollectionExchange): Promise<void> {
  const { collection } = exchange;
  const admission = { collections: [collection], confirm: () => exchange.confirm() };
  return answer(exchange, admission, ["collections", collection.id, "map"], undefined);
}

export async function datasetMap(exchange: Exchange): Promise<void> {
  const chosen = await chosenCollections(exchange);
  await answer(exchange, chosen, ["map"], chosen.collections.map(({ id }) => id).join(","));
}

async function answer(
  exchange: Exchange,
  admission: Admission,
  path: readonly string[],
  ids: string | undefined,
): Promise<void> {
  if (!exchange.maps) throw new GatewayError("MAP_BACKEND_ERROR", "MapServer is not installed here");
  if (exchange.format !== HTML) return drawMap(exchange, exchange.maps, admission);
  await admission.confirm();
  const { collections } = admission;
  mapPage(exchange, { path, collections, ids, bounds: await extentOf(exchange, collections) });
}

/** Those that `collections` names, or all that the caller may see of the default schema; the lowest first. */
async function chosenCollections(exchange: Exchange): Promise<Admission> {
  const { collections: all, parameters, addresses } = exchange;
  if (parameters.collections === undefined) {
    const seen = await shownByDefault(exchange);
    if (seen.length > 0)
      return {
        collections: seen.map((collection) => asOf(collection, instantOf(parameters))),
        confirm: () => Promise.resolve(),
      };
    throw new GatewayError("INVALID_PARAMETER", "collections: which collections shall the map show?");
  }
  const prefix = `${addresses.of(["collections"])}/`;
  const ids = parameters.collections.map((id) => (id.startsWith(prefix) ? decoded(id.slice(prefix.length)) : id));
  if (ids.length > MAX_COLLECTIONS)
    throw new GatewayError("INVALID_PARAMETER", `collections: a map shows ${MAX_COLLECTIONS} at most`);
  const named = [...new Set(ids)].map((id) => {
    const collection = all.get(id);
    if (!collection) throw notFound(id);
    return collection;
  });
  const { collections, confirm } = await exchange.admit(named);
  if (new Set(collections.map(({ schema }) => schema)).size > 1)
    throw new GatewayError("INVALID_PARAMETER", "collections: all must be of one schema");
  return { collections: collections.map((collection) => asOf(collection, instantOf(parameters))), confirm };
}

/** What `/map` without `collections` shows to the caller; nothing where it has to be told which. */
async function shownByDefault(exchange: Exchange): Promise<Collection[]> {
  const shown = defaultSchema(exchange);
  const inSchema = [...exchange.collections.values()].filter(({ schema }) => schema === shown);
  if (inSchema.length === 0) return [];
  const seen = await readable(exchange, inSchema);
  return seen.length <= MAX_COLLECTIONS ? seen : [];
}

/** OGC 20-058 /req/dataset-map/desc-extent and desc-crs: where that map is, and in which systems it can be had. */
export async function datasetMapContent(exchange: Exchange): Promise<object> {
  const collections = exchange.maps ? await shownByDefault(exchange) : [];
  if (collections.length === 0) return {};
  const bbox = await extentOf(exchange, collections);
  return {
    extent: { spatial: { bbox: [bbox], crs: CRS84.uri } },
    crs: [...new Set(collections.flatMap(({ crs }) => crs).map(({ uri }) => uri))],
  };
}

/** The id in an address of a collection. Throws `INVALID_PARAMETER` for what is no percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new GatewayError("INVALID_PARAMETER", "collections: an address is not percent-encoded UTF-8", { cause });
  }
}

async function drawMap(exchange: Exchange, maps: Maps, { collections, confirm }: Admission): Promise<void> {
  const { request, response, format, context } = exchange;
  await refuseHiddenRasters(exchange, collections);
  const frame = await frameOf(exchange, collections);
  const drawn = drawable(frame);
  const pixels = drawn.width * drawn.height;
  maps.server.refuseTooLarge(pixels);
  // not before the rights are confirmed: where features are is part of what may be seen
  const setOwnHeaders = (): void => setHeaders(response, headersOf(exchange, collections, frame));
  if (request.method === "HEAD") {
    await confirm();
    setOwnHeaders();
    response.end();
    return;
  }
  const { key, connection, file } = await mapfileOf(exchange, maps, collections, frame.seam);
  try {
    await maps.server.draw(
      {
        query: queryOf(drawn, format, file, backgroundOf(exchange)),
        mediaType: format.mediaType,
        pixels,
        connection,
        signal: context.signal,
        requestId: request.requestId,
        confirm,
        async checkRights() {
          await confirm();
          await refuseUnreadable(exchange, collections);
        },
      },
      async (image) => {
        const shown = drawn === frame ? image : [await cropped(image, format, frame)];
        setOwnHeaders();
        await sendImage(response, shown);
      },
    );
  } catch (error) {
    if (error instanceof GatewayError && error.code === "MAP_BACKEND_ERROR") maps.files.forget(key);
    throw error;
  }
}

function headersOf(
  exchange: Exchange,
  collections: readonly Collection[],
  frame: Frame,
): Readonly<Record<string, string>> {
  return {
    "Content-Type": exchange.format.mediaType,
    "Content-Crs": frame.crs.uri,
    "Content-Bbox": contentBbox(frame),
    ...contentDatetime(collections),
    ...linkHeaders(linksOf(exchange, collections)),
  };
}

/** The mapfile of the collections for whoever asks, under its `key`; `connection`: what tells its connection from others. */
async function mapfileOf(
  exchange: Exchange,
  maps: Maps,
  collections: readonly Collection[],
  seam: Frame["seam"],
): Promise<{ key: string; connection: string; file: Mapfile }> {
  const { database, identity, context } = exchange;
  const { digest, uri } = mapConnection(database, {
    identity,
    context,
    bySession: collections.some(dependsOnSession),
    postgis: collections[0]?.postgis ?? "public",
    statementTimeoutMs: maps.statementTimeoutMs,
  });
  const key = JSON.stringify([
    database.name,
    digest,
    seam,
    ...collections.map(({ id, instant = null }) => [id, instant]),
  ]);
  const layersOfAll = (): Promise<(readonly MapLayer[])[]> =>
    Promise.all(
      collections.map((collection, index) => layersOf(exchange, maps, collection, { index, connection: uri, seam })),
    );
  const file = await maps.files.of(key, collections, async () => ({
    layers: (await layersOfAll()).flat(),
    srids: [...new Set(collections.flatMap(({ crs }) => crs).map(({ srid }) => srid))],
  }));
  return { key, connection: digest, file };
}

/** The one row of a raster's table stands for it: who does not see the row does not see the raster. */
async function refuseHiddenRasters(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections.filter(({ raster, rowSecurity }) => raster && rowSecurity))
    if ((await countSeen(exchange, collection, 1)) === 0) throw refusal(exchange.identity, collection.id);
}

/** A view that asks for the caller's rights may stand on what the caller may not read. Throws as for the view itself. */
async function refuseUnreadable(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections.filter(({ raster }) => !raster))
    try {
      await countSeen(exchange, collection, 0);
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error;
      throw refusal(exchange.identity, collection.id, error);
    }
}

/** How many rows the caller sees, at most so many. Throws PostgreSQL's 42501. */
async function countSeen(exchange: Exchange, collection: Collection, most: number): Promise<number> {
  const { database, identity, context } = exchange;
  const { text } = sql.compile(sql`select from ${sourceOf(collection)} limit ${sql.literal(most)}`);
  const { rowCount } = await database.withIdentity(identity, context, (transaction) =>
    transaction.query({ text, last: true }),
  );
  return rowCount ?? 0;
}

/** Plain tables have the same rows for everybody who may read them. */
function dependsOnSession({ kind, rowSecurity }: Collection): boolean {
  return rowSecurity || (kind !== "r" && kind !== "p");
}

async function layersOf(
  { identity, collections }: Exchange,
  { log, rasterDirectory }: Maps,
  collection: Collection,
  source: Omit<LayerSource, "style">,
): Promise<readonly MapLayer[]> {
  if (collection.raster) {
    if (source.seam)
      throw new GatewayError(
        "INVALID_PARAMETER",
        `bbox: ${collection.id} is a raster, and is not drawn over the antimeridian`,
      );
    await checkRasterFile(rasterDirectory, collection.raster.file).catch((cause: unknown) => {
      throw new GatewayError("MAP_BACKEND_ERROR", undefined, { detail: "the raster cannot be read", cause });
    });
    return [rasterLayer(collection, source.index)];
  }
  // as it was set, whichever columns the caller may read
  const style = styleOf(collections.get(collection.id) ?? collection, log);
  const columns = new Set(collection.columns.map(({ name }) => name));
  const missing = style && [...columnsOf(style)].some((name) => !columns.has(name));
  if (missing)
    throw refusal(identity, collection.id, new Error("the style needs columns that the account may not read"));
  return vectorLayers(collection, { ...source, style });
}

function linksOf({ addresses }: Exchange, collections: readonly Collection[]) {
  return collections.map(({ id, title }) => ({
    rel: "collection",
    type: "application/json",
    title,
    href: addresses.of(["collections", id]),
  }));
}
