/** `/collections/{collectionId}/map` and `/map`: pictures, drawn by MapServer under the caller's own rights. */
import { sql } from "postgraphile/pg-sql2";
import { GatewayError, SQLSTATE, sqlstateOf } from "../../server/ground/errors.ts";
import type { Filter } from "../../server/filter/tree.ts";
import type { OwnConnection, Reached } from "../../server/kernel/database/database.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import { refusal, type Admission } from "../collections/access.ts";
import { spatial, type Collection } from "../collections/collections.ts";
import { contentDatetime } from "../exchange/parameters/datetime.ts";
import type { CollectionExchange, Exchange } from "../exchange/exchange.ts";
import { countAll } from "../features/page/featureSql.ts";
import { filterOf } from "../features/filter.ts";
import { HTML } from "../exchange/formats.ts";
import { linkHeaders, LONGEST_WITHOUT_BODY } from "../exchange/links.ts";
import { mapCaller, mapConnection } from "./mapConnection.ts";
import { inDraftStyle } from "./draftStyle.ts";
import { inColours } from "./layerColours.ts";
import { cropped, drawable } from "./mapCrop.ts";
import { backgroundOf } from "./mapBackground.ts";
import { chosenCollections, countSeen, defaultCollections, hiddenRasters } from "./mapCollections.ts";
import { contentBbox, extentOf, frameOf, type Frame } from "./mapFrame.ts";
import { failedLayer, rasterLayer, vectorLayers, type LayerSource, type MapLayer } from "./mapLayer.ts";
import type { Mapfile, Mapfiles } from "./mapfile.ts";
import { sendImage, sendNothing } from "./mapImage.ts";
import { queryOf } from "./mapQuery.ts";
import type { Maps } from "./maps.ts";
import { mapPage } from "../pages/mapPage.ts";
import { reading } from "../collections/reach.ts";
import { checkRasterFile } from "./rasterFile.ts";
import { inStyleAsked, styleFor, styleOfSeveral } from "./styleOf.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";

export async function collectionMap(exchange: CollectionExchange): Promise<void> {
  const collection = await inDraftStyle(exchange, inStyleAsked(exchange, exchange.collection));
  const admission = { collections: inColours(exchange, [collection]), confirm: () => exchange.confirm() };
  return answer(exchange, admission, ["collections", collection.id, ...stylePath(exchange), "map"], undefined);
}

export async function datasetMap(exchange: Exchange): Promise<void> {
  const { parameters, pathParameters } = exchange;
  styleOfSeveral(pathParameters["styleId"] ?? parameters.style ?? DEFAULT_STYLE);
  const path = [...stylePath(exchange), "map"];
  if (parameters.collections !== undefined) {
    const chosen = await chosenCollections(exchange, parameters.collections);
    return answer(exchange, chosen, path, chosen.collections.map(({ id }) => id).join(","));
  }
  return answer(exchange, confirmed(await defaultCollections(exchange)), path, undefined);
}

/** The path of the style in the address, if it names one. */
function stylePath({ pathParameters }: Exchange): readonly string[] {
  const { styleId } = pathParameters;
  return styleId === undefined ? [] : ["styles", styleId];
}

/** An admission to collections whose rights PostgreSQL has just confirmed. */
function confirmed(collections: readonly Collection[]): Admission {
  return { collections, confirm: () => Promise.resolve() };
}

async function answer(
  exchange: Exchange,
  admission: Admission,
  path: readonly string[],
  ids: string | undefined,
): Promise<void> {
  if (!exchange.maps) throw new GatewayError("MAP_BACKEND_ERROR", "MapServer is not installed here");
  for (const collection of admission.collections) await conditionOf(exchange, collection);
  if (exchange.format !== HTML) return drawMap(exchange, exchange.maps, admission);
  await admission.confirm();
  const { collections } = admission;
  mapPage(exchange, { path, collections, ids, bounds: await extentOf(exchange, collections) });
}

async function drawMap(exchange: Exchange, maps: Maps, admission: Admission): Promise<void> {
  const { request, response, parameters } = exchange;
  const { collections, confirm } = admission;
  const [hidden] = await hiddenRasters(exchange, collections);
  if (hidden) throw refusal(exchange.identity, hidden.id);
  const frame = await frameOf(exchange, collections);
  if (!frame) {
    await confirm();
    sendNothing(response);
    return;
  }
  const { width, height } = drawable(frame);
  maps.server.refuseTooLarge(width * height);
  if (request.method === "HEAD") {
    await confirm();
    setHeaders(response, headersOf(exchange, collections, frame));
    response.end();
    return;
  }
  const send: Send = async (image, shown) => {
    // only after the rights are confirmed, since the position of features is part of what they protect
    setHeaders(response, headersOf(exchange, shown, frame));
    await sendImage(response, image);
  };
  const isOfAll = !("collection" in exchange) && parameters.collections === undefined;
  if (isOfAll) await drawSound(exchange, maps, collections, { frame, send });
  else await drawFrame(exchange, maps, admission, { frame, send });
}

export type Send = (image: readonly Buffer[], collections: readonly Collection[]) => Promise<void>;

/** The drawn part of the world, and the recipient of the picture. */
interface Picture {
  readonly frame: Frame;
  readonly send: Send;
}

/** The map of all collections without those that cannot be drawn. The log names them; the header `Link` does not. */
export async function drawSound(
  exchange: Exchange,
  maps: Maps,
  collections: readonly Collection[],
  picture: Picture,
): Promise<void> {
  try {
    await drawFrame(exchange, maps, confirmed(collections), picture);
  } catch (error) {
    if (!isOfOne(error) || exchange.response.headersSent) throw error;
    const named = failedLayer(error);
    const failed =
      named === undefined ? await failedAlone(exchange, maps, collections, picture.frame) : [collections[named]];
    const sound = collections.filter((collection) => !failed.includes(collection));
    if (sound.length === 0 || sound.length === collections.length) throw error;
    const { requestId } = exchange.request;
    const ids = failed.map((collection) => collection?.id);
    maps.log.warn({ requestId, collections: ids, err: error }, "collections are left out of the map of all");
    await drawSound(exchange, maps, sound, picture);
  }
}

/** Whether a single collection may have caused the error. */
function isOfOne(error: unknown): error is GatewayError {
  return (
    error instanceof GatewayError &&
    ["MAP_BACKEND_ERROR", "TIMEOUT", "UNAUTHENTICATED", "FORBIDDEN"].includes(error.code)
  );
}

/** Finds the collections that cannot be drawn alone, if MapServer did not name one. */
async function failedAlone(
  exchange: Exchange,
  maps: Maps,
  collections: readonly Collection[],
  frame: Frame,
): Promise<Collection[]> {
  const failed: Collection[] = [];
  const tiny = { frame: { ...frame, width: 2, height: 2 }, send: () => Promise.resolve() };
  for (const collection of collections)
    await drawFrame(exchange, maps, confirmed([collection]), tiny).catch((error: unknown) => {
      if (!isOfOne(error)) throw error;
      failed.push(collection);
    });
  return failed;
}

export async function drawFrame(
  exchange: Exchange,
  maps: Maps,
  { collections, confirm }: Admission,
  { frame, send }: Picture,
): Promise<void> {
  const { request, format, context } = exchange;
  const background = backgroundOf(exchange, frame);
  const drawn = drawable(frame);
  const { files, key, connection, login, reach, file } = await mapfileOf(exchange, maps, collections, {
    seam: frame.seam,
    layer: background.layer,
    srid: frame.crs.srid,
  });
  try {
    await maps.server.draw(
      {
        query: queryOf(drawn, format, file, background.ground),
        mediaType: format.mediaType,
        pixels: drawn.width * drawn.height,
        connection,
        login: login.login,
        caller: mapCaller(exchange),
        signal: context.signal,
        requestId: request.requestId,
        confirm,
        locked: (failure) => exchange.database.lockedBy(exchange.identity, reach, failure),
        readmit: () => login.readmit(),
        endLate: () => login.endLate(maps.statementTimeoutMs),
        async checkRights() {
          await confirm();
          await refuseUnreadable(exchange, collections);
        },
      },
      async (image) => {
        await login.confirm();
        const shown = drawn === frame ? image : [await cropped(image, format, frame)];
        await send(await background.finish(shown), collections);
      },
    );
  } catch (error) {
    if (error instanceof GatewayError && error.code === "MAP_BACKEND_ERROR") {
      files.forget(key);
      await tryConditions(exchange, collections);
    }
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
    ...linkHeaders(linksOf(exchange, collections), LONGEST_WITHOUT_BODY),
  };
}

/** The mapfile of the collections for the caller, under its `key`. `connection`: identifies the database connection. */
async function mapfileOf(
  exchange: Exchange,
  maps: Maps,
  collections: readonly Collection[],
  {
    seam,
    layer: lowest,
    srid,
  }: { readonly seam: Frame["seam"]; readonly layer: MapLayer | undefined; readonly srid: number },
): Promise<{
  files: Mapfiles;
  key: string;
  connection: string;
  login: OwnConnection;
  reach: readonly Reached[];
  file: Mapfile;
}> {
  const { database, identity, context, parameters } = exchange;
  const conditions = await Promise.all(collections.map((collection) => conditionOf(exchange, collection)));
  const isFiltered = conditions.some((condition) => condition !== undefined);
  const isOfMany =
    isFiltered ||
    collections.some(({ draftStyle, colour, routine }) => draftStyle !== undefined || colour !== undefined || routine);
  const files = isOfMany ? maps.filtered : maps.files;
  const reach = collections
    .filter(({ raster }) => !raster)
    .flatMap((collection) => reading(context, collection, isFiltered).reach ?? []);
  const login = await database.ownConnection(identity, context, reach);
  const mapped = mapConnection({
    login,
    identity,
    context,
    bySession: collections.some(dependsOnSession),
    postgis: collections[0]?.postgis ?? "public",
    statementTimeoutMs: maps.statementTimeoutMs,
  });
  const srids = [...new Set(collections.flatMap(({ crs }) => crs).map((each) => each.srid))];
  const ownSrid = srids.includes(srid) ? [] : [srid];
  const key = JSON.stringify([
    database.name,
    mapped.digest,
    ownSrid,
    seam,
    lowest?.text,
    isFiltered && [parameters.filter, parameters["filter-lang"], parameters["filter-crs"]?.uri],
    ...collections.map(({ id, instant = null, styleName = null, draftStyle = null, colour = null }) => [
      id,
      instant,
      styleName,
      draftStyle,
      colour,
    ]),
  ]);
  const layersOfAll = (): Promise<(readonly MapLayer[])[]> =>
    Promise.all(
      collections.map((collection, index) =>
        layersOf(exchange, maps, collection, { index, connection: mapped, seam, condition: conditions[index] }),
      ),
    );
  const file = await files.of(key, collections, async () => ({
    layers: [...(lowest ? [lowest] : []), ...(await layersOfAll()).flat()],
    srids: [...srids, ...ownSrid],
  }));
  return { files, key, connection: `${database.name} ${mapped.digest}`, login, reach, file };
}

/** The filter of the request on a collection. Throws `INVALID_PARAMETER`. */
export async function conditionOf(exchange: Exchange, collection: Collection): Promise<Filter | undefined> {
  if (exchange.parameters.filter !== undefined && collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `filter: ${collection.id} is a raster, which cannot be filtered`);
  return filterOf(exchange, collection);
}

/**
 * Finds out whether the caller's own filter failed, such as by a division by zero, because MapServer does not pass on
 * PostgreSQL's error.
 */
async function tryConditions(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  const { database, identity, context } = exchange;
  for (const collection of collections) {
    const condition = await conditionOf(exchange, collection);
    if (!condition) continue;
    const selection = { condition, equalities: new Map<string, string>() };
    const { text, values } = sql.compile(countAll(collection, selection, { tolerant: true }));
    await database.withIdentity(identity, reading(context, collection, true), (transaction) =>
      transaction.query({ text, values }),
    );
  }
}

/**
 * Checks views that run with the caller's rights: they may read something that the caller may not read. Throws the same
 * errors as for the view itself.
 */
async function refuseUnreadable(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections.filter(({ raster }) => !raster))
    try {
      await countSeen(exchange, collection, 0);
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error;
      throw refusal(exchange.identity, collection.id, error);
    }
}

/** Whether rows depend on the caller. Plain tables have the same rows for every caller who may read them. */
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
        `bbox: ${collection.id} is a raster, which cannot be drawn across the antimeridian`,
      );
    await checkRasterFile(rasterDirectory, collection.raster.file).catch((cause: unknown) => {
      throw new GatewayError("MAP_BACKEND_ERROR", `The file of the raster ${collection.id} cannot be read`, { cause });
    });
    return [rasterLayer(spatial(collection), source.index)];
  }
  const style = styleFor({ identity, collections }, collection, log);
  return vectorLayers(spatial(collection), { ...source, style });
}

function linksOf({ addresses }: Exchange, collections: readonly Collection[]) {
  return collections.map(({ id, title }) => ({
    rel: "collection",
    type: "application/json",
    title,
    href: addresses.of(["collections", id]),
  }));
}
