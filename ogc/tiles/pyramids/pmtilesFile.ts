/** `/collections/{collectionId}/tiles/WebMercatorQuad.pmtiles`: a pyramid as one file, whole or in parts. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../../server/ground/errors.ts";
import { setHeaders, write } from "../../../server/kernel/http/answer.ts";
import { beginFile } from "../../downloads/range.ts";
import type { CollectionExchange } from "../../exchange/exchange.ts";
import { degreesAround } from "../tilesetLimits.ts";
import { plainColumns } from "../tileSql.ts";
import { tileTagOf } from "../tileTag.ts";
import { layoutOf, tilesWithin, type PmtilesLayout, type PlacedTile, type TileEntry } from "./pmtiles.ts";
import { formOf, type Pyramid } from "./pyramids.ts";
import { maySee } from "./serve.ts";

/** The only set that the format supports. */
const SET = "WebMercatorQuad";
const WORLD = [-180, -85.051129, 180, 85.051129] as const;
/** The number of tiles that one statement reads. */
const AT_ONCE = 200;

/** Layouts by pyramid and version. One of a million tiles takes some megabytes. */
const layouts = new LRUCache<string, Promise<PmtilesLayout>>({ max: 20 });

export async function pmtilesFile(exchange: CollectionExchange): Promise<void> {
  const { response, database } = exchange;
  const pyramid = await pyramidFor(exchange);
  const { version } = await upToDate(exchange, pyramid);
  const key = `${database.name} ${pyramid.id} ${version}`;
  const known = layouts.get(key) ?? layoutFor(exchange, pyramid);
  layouts.set(key, known);
  known.catch(() => layouts.delete(key)); // the caller gets the error
  const layout = await known;
  const { head, size } = layout;
  const etag = `"${createHash("sha256").update(key).update(head).digest("base64url").slice(0, 27)}"`;
  setHeaders(response, {
    "Content-Type": exchange.format.mediaType,
    "Content-Disposition": `inline; filename="${exchange.collection.id.replaceAll(/[^\w.-]/g, "_")}.pmtiles"`,
  });
  const range = beginFile(exchange, size, etag);
  if (!range) return;
  const [from, to] = range;
  if (from < head.length) await write(response, [head.subarray(from, Math.min(to, head.length))]);
  const tiles = tilesWithin(layout, from, to);
  for (let at = 0; at < tiles.length; at += AT_ONCE) {
    const part = tiles.slice(at, at + AT_ONCE);
    const bytes = await contentOf(exchange, pyramid, part);
    const begin = head.length + part[0]!.offset;
    await write(response, [bytes.subarray(Math.max(0, from - begin), Math.max(0, to - begin))]);
  }
  response.end();
}

/** The pyramid for the request. Throws `NOT_FOUND` where there is none that the caller may have. */
async function pyramidFor(exchange: CollectionExchange): Promise<Pyramid> {
  const { tiles, database, collection, config } = exchange;
  const tag = tileTagOf(collection, tiles.log);
  const given = (tag.columns ?? plainColumns(collection)).filter(
    ({ number }) => number !== collection.geometry?.number,
  );
  const form = formOf(collection, given, { order: tag.order, limit: config.tileFeatureLimit });
  for (const pyramid of await tiles.pyramids.of(database))
    if (pyramid.collection === collection.id && pyramid.tile_matrix_set === SET && pyramid.form === form)
      if (await maySee(exchange, pyramid, collection)) return pyramid;
  throw new GatewayError("NOT_FOUND", `There is no pyramid of ${collection.id}: make one with portolan tiles seed`);
}

/** Throws `UNAVAILABLE` while tiles are missing or older than the table. */
async function upToDate(
  { database: { db } }: CollectionExchange,
  { id }: Pyramid,
): Promise<{ readonly version: string }> {
  await db.one("select portolan.refresh_pyramid($1)", [id]);
  const found = await db.oneOrNone<{ version: string; tiles: string; complete: boolean }>(
    `select p.version || '.' || j.done as version, j.state = 'done' and not exists (
       select from portolan.pyramid_areas a where a.pyramid = p.id) as complete
     from portolan.pyramids p left join portolan.jobs j on j.id = p.job where p.id = $1`,
    [id],
  );
  if (!found?.complete)
    throw new GatewayError("UNAVAILABLE", "The pyramid is being made: try again later", {
      headers: { "Retry-After": "5" },
    });
  return found;
}

async function layoutFor(exchange: CollectionExchange, pyramid: Pyramid): Promise<PmtilesLayout> {
  const { database, collection, tiles } = exchange;
  const entries = await database.db.any<TileEntry>(
    `select z, x, y, octet_length(content) as length from portolan.pyramid_tiles
     where pyramid = $1 and z between $2 and $3 and octet_length(content) > 0`,
    [pyramid.id, pyramid.first_zoom, pyramid.last_zoom],
  );
  const degrees = await degreesAround(exchange, [collection]);
  const given = tileTagOf(collection, tiles.log).columns ?? plainColumns(collection);
  const fields = Object.fromEntries(given.map(({ name, type }) => [name, FIELD_TYPES[type.kind] ?? "String"]));
  const layer = { id: collection.id, fields, minzoom: pyramid.first_zoom, maxzoom: pyramid.last_zoom };
  return layoutOf(entries, {
    firstZoom: pyramid.first_zoom,
    lastZoom: pyramid.last_zoom,
    bounds: degrees ? [...degrees] : WORLD,
    metadata: { name: collection.title, description: collection.description, vector_layers: [layer] },
  });
}

/** The names of types in TileJSON (vector_layers.fields). */
const FIELD_TYPES: Readonly<Record<string, string>> = {
  boolean: "Boolean",
  integer: "Number",
  bigint: "Number",
  float: "Number",
};

/** The content of tiles. Throws `GONE` where a tile was made again meanwhile. */
async function contentOf(
  { database: { db } }: CollectionExchange,
  { id }: Pyramid,
  tiles: readonly PlacedTile[],
): Promise<Buffer> {
  const rows = await db.any<{ content: Buffer }>(
    `select t.content from unnest($2::int2[], $3::int[], $4::int[]) with ordinality w (z, x, y, n)
       join portolan.pyramid_tiles t on (t.pyramid, t.z, t.x, t.y) = ($1, w.z, w.x, w.y)
     order by w.n`,
    [id, tiles.map(({ z }) => z), tiles.map(({ x }) => x), tiles.map(({ y }) => y)],
  );
  const isSame = rows.length === tiles.length && rows.every(({ content }, n) => content.length === tiles[n]!.length);
  if (!isSame) throw new GatewayError("GONE", "A tile was made again meanwhile: start the download again");
  return Buffer.concat(rows.map(({ content }) => content));
}
