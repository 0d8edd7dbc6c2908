/** Serves tiles of pyramids to callers who may see everything that the pyramid's account sees. */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ofCatalogue } from "../../collections/reach.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { toTile } from "../sendTile.ts";
import type { TileAddress, TileMatrixSet } from "../tileMatrixSet.ts";
import { tileTagOf } from "../tileTag.ts";
import type { Tile } from "../tiles.ts";
import { formOf, type Pyramid } from "./pyramids.ts";

const decompress = promisify(gunzip);

/** Whether the caller may now read the data that the tiles of `collection` were made from. */
export async function maySee(
  { database, identity, context }: Exchange,
  { rights }: Pyramid,
  { oid }: Collection,
): Promise<boolean> {
  if (rights === null) return false;
  const asked = ofCatalogue({ ...context, basis: undefined });
  return database.withIdentity(identity, asked, async (transaction) => {
    const { rows } = await transaction.query<{ same: boolean }>({
      name: "ogc pyramid",
      text: "select coalesce(portolan.reading_rights($1::oid) = $2::jsonb, false) as same",
      values: [oid, JSON.stringify(rights)],
    });
    return rows[0]!.same;
  });
}

export interface WantedTile {
  readonly collection: Collection;
  /** The attributes of its features. */
  readonly given: readonly CollectionColumn[];
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
}

/** A valid tile that was made beforehand; undefined where it must be made. */
export async function tileOfPyramid(
  exchange: Exchange,
  { collection, given, set, address }: WantedTile,
): Promise<Tile | undefined> {
  const { tiles, database, config } = exchange;
  if (collection.routine || collection.instant !== undefined) return undefined;
  const all = await tiles.pyramids.of(database);
  const own = all.filter(
    (each) =>
      each.collection === collection.id &&
      each.tile_matrix_set === set.id &&
      each.first_zoom <= address.matrix &&
      each.last_zoom >= address.matrix,
  );
  if (own.length === 0) return undefined;
  const limit = config.tileFeatureLimit;
  const form = formOf(collection, given, { order: tileTagOf(collection, tiles.log).order, limit });
  for (const pyramid of own) {
    if (pyramid.form !== form || !(await maySee(exchange, pyramid, collection))) continue;
    const found = await tiles.pyramids.find(database, pyramid, set, address);
    // an empty tile may be outside the limits of the tileset, which are checked where a tile is made
    if (!found || found.content.length === 0) return undefined;
    return { ...toTile(await decompress(found.content), found.features > limit), gzip: Promise.resolve(found.content) };
  }
  return undefined;
}
