/** The pyramids of a database: its vector tiles that were made beforehand, and the search for one of them. */
import { SQLSTATE, sqlstateOf } from "../../../server/ground/errors.ts";
import type { Database } from "../../../server/kernel/database/database.ts";
import { boundsOf, type TileAddress, type TileMatrixSet } from "../tileMatrixSet.ts";
import type { Collection } from "../../collections/collections.ts";
import type { TileTag } from "../tileTag.ts";

/** A row of `portolan.pyramids`. */
export interface Pyramid {
  readonly id: string;
  readonly job: string | null;
  readonly collection: string;
  readonly tile_matrix_set: string;
  readonly first_zoom: number;
  readonly last_zoom: number;
  readonly account: string;
  readonly form: string | null;
  /** Null where more decides who sees which rows than these rights tell: another table in a policy, claims, the clock. */
  readonly rights: unknown;
  readonly version: string;
}

/** A tile of a pyramid, compressed by gzip. */
export interface StoredTile {
  readonly content: Buffer;
  readonly features: number;
}

const ALL = `
select id, job, collection, tile_matrix_set, first_zoom, last_zoom, account, form, version,
  case when rights -> 'rows' = 'null' or portolan.row_keys(relation) is not null then rights end as rights
from portolan.pyramids where form is not null`;

/**
 * The margin around a tile within which a change makes it outdated, as a part of its side. It is larger than the buffer
 * of its features.
 */
const MARGIN = 0.125;

const FIND = `
select t.content, t.features
from portolan.pyramid_tiles t
where t.pyramid = $1 and t.z = $2 and t.x = $3 and t.y = $4 and not exists (
  select from portolan.pyramid_areas a
  where a.pyramid = $1 and a.maxx >= $5 and a.maxy >= $6 and a.minx <= $7 and a.miny <= $8)`;

export class Pyramids {
  /** The few pyramids of each database. They are read again when one begins or ends. */
  readonly #known = new WeakMap<Database, Promise<readonly Pyramid[]>>();

  async of(database: Database): Promise<readonly Pyramid[]> {
    let known = this.#known.get(database);
    if (!known) {
      known = database.db.any<Pyramid>(ALL);
      this.#known.set(database, known);
      known.catch(() => this.#known.delete(database)); // the caller gets the error
    }
    return known;
  }

  forget(database: Database): void {
    this.#known.delete(database);
  }

  /** A valid tile; undefined where it must be made. */
  async find(
    { db }: Database,
    { id }: Pyramid,
    set: TileMatrixSet,
    address: TileAddress,
  ): Promise<StoredTile | undefined> {
    const bounds = boundsOf(set, address);
    if (!bounds) return undefined;
    const [minx, miny, maxx, maxy] = bounds;
    const margin = (maxx - minx) * MARGIN;
    const { matrix, column, row } = address;
    try {
      // areas that are new are seen by the statement after it
      await db.one("select portolan.refresh_pyramid($1)", [id]);
    } catch (error) {
      // whether it holds can be told later: until then it is made of its table
      if (sqlstateOf(error) !== SQLSTATE.lockNotAvailable) throw error;
      return undefined;
    }
    const found = await db.oneOrNone<StoredTile>(FIND, [
      ...[id, matrix, column, row],
      ...[minx - margin, miny - margin, maxx + margin, maxy + margin],
    ]);
    return found ?? undefined;
  }
}

/** Everything that determines how the tiles of a collection look, except its rows. */
export function formOf(
  { key, columns, instant }: Collection,
  given: readonly { readonly name: string }[],
  { order, limit }: Pick<TileTag, "order"> & { readonly limit: number },
): string {
  const typed = given.map(({ name }) => [name, columns.find((each) => each.name === name)?.type.name]);
  return JSON.stringify([
    typed,
    key.map(({ name }) => name),
    order && [order.column.name, order.descending],
    limit,
    instant,
  ]);
}
