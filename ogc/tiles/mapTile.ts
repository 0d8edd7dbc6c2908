/** `…/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}`: a picture, drawn by MapServer under the caller's own rights. */
import { GatewayError } from "../../server/ground/errors.ts";
import { refusal, type Admission } from "../collections/access.ts";
import type { Collection } from "../collections/collections.ts";
import type { CollectionExchange, Exchange } from "../exchange/exchange.ts";
import { isOfOwnRows } from "../features/filter.ts";
import { JPEG, PNG } from "../exchange/formats.ts";
import { conditionOf, drawFrame, drawSound } from "../maps/map.ts";
import { hiddenRasters } from "../maps/mapCollections.ts";
import { inStyleAsked, styleOf, styleOfSeveral, wholeOf } from "../maps/styleOf.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { sendTile, toTile } from "./sendTile.ts";
import { mapTileCollections } from "./tileCollections.ts";
import { tileMatrixSetOf, tileOf } from "./tileMatrixSets.ts";
import { cutTile, reachOf, tileFrame, type TileFrame } from "./tileFrame.ts";
import type { TileAddress, TileMatrixSet } from "./tileMatrixSet.ts";
import { isWithinLimits } from "./tilesetLimits.ts";

export function collectionMapTile(exchange: CollectionExchange): Promise<void> {
  const collection = inStyleAsked(exchange, exchange.collection);
  return answer(exchange, { collections: [collection], confirm: () => exchange.confirm() });
}

export async function datasetMapTile(exchange: Exchange): Promise<void> {
  styleOfSeveral(exchange.parameters.style ?? DEFAULT_STYLE);
  return answer(exchange, await mapTileCollections(exchange));
}

/** Answers with the tile. Throws `NOT_FOUND` for a tile that does not exist, and the errors of maps. */
async function answer(exchange: Exchange, admission: Admission): Promise<void> {
  const { tiles, maps } = exchange;
  const { collections } = admission;
  if (!maps) throw new GatewayError("MAP_BACKEND_ERROR", "MapServer is not installed here");
  const set = await tileMatrixSetOf(exchange);
  const { address, bounds } = tileOf(exchange, set);
  const conditions = await Promise.all(collections.map((collection) => conditionOf(exchange, collection)));
  const resource = resourceOf(exchange, admission, set, address);
  const seen = async (): Promise<string | undefined> =>
    conditions.every(isOfOwnRows) ? tiles.seen(exchange, exchange.collections, collections) : undefined;
  const before = await seen();
  const kept = tiles.get(before, resource);
  if (kept) {
    tiles.metrics.served("map", "kept");
    return sendTile(exchange, kept, collections);
  }
  const [hidden] = await hiddenRasters(exchange, collections);
  if (hidden) throw refusal(exchange.identity, hidden.id);
  if (!(await isWithinLimits(exchange, set, address, collections)))
    throw new GatewayError("NOT_FOUND", "There are no features near this tile");
  const { body, isWhole } = await draw(
    exchange,
    admission,
    tileFrame(exchange, set, { address, bounds, reach: reachOfAll(exchange, collections) }),
  );
  const tile = toTile(body);
  // MapServer read at some moment between the two checks, and does not say when
  const isSteady = isWhole && before !== undefined && (await seen()) === before;
  if (isSteady) tiles.keep(before, resource, tile);
  tiles.metrics.served("map", isSteady ? "made" : "unkept");
  return sendTile(exchange, tile, collections);
}

function reachOfAll(exchange: Exchange, collections: readonly Collection[]): number {
  const { collections: all, maps } = exchange;
  const vectors = collections.filter(({ raster }) => !raster);
  const reaches = vectors.map((each) => reachOf(each, styleOf(wholeOf(all, each), maps!.log)));
  return Math.max(0, ...reaches);
}

/** Draws the tile. `isWhole`: no collection was left out as impossible to draw. */
async function draw(
  exchange: Exchange,
  admission: Admission,
  { frame, margins }: TileFrame,
): Promise<{ body: Buffer; isWhole: boolean }> {
  const maps = exchange.maps!;
  const { collections } = admission;
  const { format, parameters } = exchange;
  maps.server.refuseTooLarge(frame.width * frame.height);
  let body: Buffer = Buffer.alloc(0);
  let isWhole = true;
  const take = (image: readonly Buffer[], shown: readonly unknown[]): Promise<void> => {
    // copied, because the memory is reused
    body = cutTile(Buffer.concat([...image]), margins, format);
    isWhole = shown.length === collections.length;
    return Promise.resolve();
  };
  // drawn as PNG for cutting, then converted to the requested format
  const drawn: Exchange = {
    ...exchange,
    format: PNG,
    parameters: format === JPEG ? { ...parameters, transparent: false } : parameters,
  };
  const isOfAll = exchange.route.of === "database" && parameters.collections === undefined;
  if (isOfAll) await drawSound(drawn, maps, collections, { frame, send: take });
  else await drawFrame(drawn, maps, admission, { frame, send: take });
  return { body, isWhole };
}

/** Everything that a tile depends on, except the rows of its tables and the rights to see them. */
function resourceOf(
  { database, tiles, collections: all, parameters, format }: Exchange,
  { collections }: Admission,
  set: TileMatrixSet,
  { matrix, row, column }: TileAddress,
): string {
  const { filter, "filter-lang": language, "filter-crs": crs, transparent, bgcolor, width, height } = parameters;
  const drawing = (["void-color", "void-transparent", "scale-denominator", "mm-per-pixel"] as const).map(
    (name) => parameters[name],
  );
  return JSON.stringify([
    "map",
    database.name,
    // the style's content is part of the catalogue
    collections.map((collection) => [
      tiles.numberOf(all.get(collection.id) ?? collection),
      collection.instant,
      collection.styleName,
    ]),
    [filter, language, crs?.uri, transparent, bgcolor, width, height, ...drawing],
    [set.id, set.crs.srid, matrix, row, column],
    format.name,
  ]);
}
