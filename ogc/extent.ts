/** Where the features of a collection are, as the caller sees them: exact, and cheap while nothing changes. */
import { sql, type SQL } from "pg-sql2";
import type { Identity, RequestContext, Transaction } from "../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../server/kernel/errors.ts";
import { rectangleWkt } from "../server/filter/geometrySql.ts";
import { postgis } from "../server/filter/sqlTypes.ts";
import type { Asker } from "./access.ts";
import { sourceOf, type Collection } from "./collections.ts";
import type { Bounds, Extent } from "./bounds.ts";
import { WGS84 } from "./crs.ts";
import { GEOMETRY_ERROR, toSrid } from "./features/geometryJson.ts";

interface Known {
  readonly extent: Extent | undefined;
  readonly snapshot: string;
  readonly atMs: number;
  readonly costMs: number;
}

/** While others commit, an extent rests for so many times as long as it took. */
const REST = 20;
/** A view may show other rows though nothing was committed. */
const LONGEST_MS = 60_000;
const MAX_KNOWN = 10_000;
/** Of so many geometries each is brought into longitude and latitude; of more their common rectangle is. */
const EXACT_COUNT = 100_000;
const PIECES_PER_SIDE = 64;
/** A list of collections leaves out the extents that it would have to wait longer for. */
const LIST_BUDGET_MS = 3000;

/** Extents in longitude and latitude. Kept in the memory of the process, apart for everyone who may see other rows. */
export class Extents {
  readonly #known = new Map<string, Known>();
  readonly #viewers = new WeakMap<Identity, number>();
  #viewerCount = 0;

  /** Those of several collections, as far as they can be had soon. Undefined: nothing is there, or not known now. */
  async ofAll(asker: Asker, collections: readonly Collection[]): Promise<(Extent | undefined)[]> {
    if (collections.length === 0) return [];
    const { database, identity, context } = asker;
    const end = performance.now() + LIST_BUDGET_MS;
    const snapshot = await database.withIdentity(identity, context, readSnapshot);
    const found: (Extent | undefined)[] = [];
    for (const collection of collections)
      found.push(
        await this.#of(asker, collection, snapshot, Math.round(end - performance.now())).catch((error: unknown) => {
          if (sqlstateOf(error) === SQLSTATE.insufficientPrivilege) return undefined; // of what is beneath a view
          throw error;
        }),
      );
    return found;
  }

  /** Undefined where there is nothing, or where it cannot be found out, or not within the time of a statement. */
  async of(asker: Asker, collection: Collection): Promise<Extent | undefined> {
    const { database, identity, context } = asker;
    return this.#of(asker, collection, await database.withIdentity(identity, context, readSnapshot), undefined);
  }

  async #of(
    asker: Asker,
    collection: Collection,
    snapshot: string,
    timeoutMs: number | undefined,
  ): Promise<Extent | undefined> {
    const drawn = collection.raster?.extent;
    if (collection.raster) return drawn && { ...drawn, degrees: outward(drawn.degrees) };
    if (collection.instant !== undefined)
      return this.#of(asker, { ...collection, instant: undefined }, snapshot, timeoutMs);
    const { database, identity, context } = asker;
    const key = JSON.stringify([
      database.name,
      collection.oid,
      collection.geometry.number,
      this.#viewer(identity, context, collection),
    ]);
    const known = this.#known.get(key);
    const age = known ? performance.now() - known.atMs : Infinity;
    if (known && age < LONGEST_MS && (known.snapshot === snapshot || age < REST * known.costMs)) return known.extent;
    if (timeoutMs !== undefined && timeoutMs < 1) return undefined;
    const started = performance.now();
    try {
      const extent = await database.withIdentity(
        identity,
        { ...context, ...(timeoutMs && { timeoutMs }) },
        (transaction) => read(transaction, collection),
      );
      this.#remember(key, extent, snapshot, started);
      return extent;
    } catch (error) {
      if (!isOfRelation(error)) throw error;
      this.#remember(key, undefined, snapshot, started); // not to be tried again at once
      return undefined;
    }
  }

  #remember(key: string, extent: Extent | undefined, snapshot: string, startedMs: number): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, { extent, snapshot, atMs: startedMs, costMs: performance.now() - startedMs });
  }

  /** Whoever sees the same rows has the same number: everybody, where no policy chooses rows and no view hides one. */
  #viewer(identity: Identity, { address }: RequestContext, { rowSecurity, kind }: Collection): unknown {
    if (!rowSecurity && (kind === "r" || kind === "p")) return null;
    const number = this.#viewers.get(identity) ?? ++this.#viewerCount;
    this.#viewers.set(identity, number);
    return [number, address];
  }
}

/** Classes of SQLSTATE that speak of PostgreSQL itself: insufficient resources, operator intervention. */
const OF_SERVER = /^(53|57P)/;
/** Those that the callers know what to do with. */
const OF_CALLER: readonly unknown[] = [
  SQLSTATE.insufficientPrivilege,
  SQLSTATE.undefinedColumn,
  SQLSTATE.undefinedTable,
];

/** Whether the rows of one relation cannot be had: they take too long, a view's function raises, a foreign server is away. */
function isOfRelation(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state !== undefined && !OF_SERVER.test(state) && !OF_CALLER.includes(state);
}

/** The same text as long as nothing was committed. */
async function readSnapshot(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.query<{ snapshot: string }>({
    text: "select pg_current_snapshot()::text as snapshot",
    last: true,
  });
  return rows[0]!.snapshot;
}

type Row = Readonly<Record<"minx" | "miny" | "maxx" | "maxy" | "count", number | null>>;

async function read(transaction: Transaction, collection: Collection): Promise<Extent | undefined> {
  const { geometry } = collection;
  const ask = async (query: SQL): Promise<Row> => {
    const { text, values } = sql.compile(query);
    return (await transaction.query<Row>({ text, values })).rows[0]!;
  };
  const inDegrees = async (query: (tolerant: boolean) => SQL): Promise<Bounds | undefined> => {
    try {
      return inWorld(toBounds(await ask(query(false))));
    } catch (error) {
      if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
      return inWorld(toBounds(await ask(query(true))));
    }
  };
  const value = sql`t.${sql.identifier(geometry.name)}`;
  const exact = (tolerant: boolean): SQL => extentOf(collection, toSrid(value, geometry.type, WGS84, { tolerant }));
  if (geometry.srid === 0 || geometry.srid === WGS84 || geometry.geography) {
    const degrees = await inDegrees(exact);
    return degrees && { degrees, storage: geometry.srid === WGS84 ? degrees : undefined };
  }
  const own = await ask(extentOf(collection, value));
  const storage = toBounds(own);
  if (!storage) return undefined;
  const isLarge = (own.count ?? 0) > EXACT_COUNT;
  const degrees = await inDegrees(isLarge ? (tolerant) => outlineExtent(own, collection, tolerant) : exact);
  return degrees && { degrees, storage };
}

function extentOf(collection: Collection, value: SQL, source = sql`${sourceOf(collection)} t`): SQL {
  const { type } = collection.geometry;
  // one coordinate that is no number would spoil the whole; NaN is above all numbers
  const box = postgis(type, "box3d", postgis(type, "box2d", value));
  const finite = (name: string): SQL => sql`${postgis(type, name, box)} between '-1e300' and '1e300'`;
  const side = (name: string, as: string): SQL => sql`${postgis(type, name, sql`e.extent`)} as ${sql.identifier(as)}`;
  return sql`select ${side("st_xmin", "minx")}, ${side("st_ymin", "miny")}, ${side("st_xmax", "maxx")}, ${side(
    "st_ymax",
    "maxy",
  )}, e.count from (
    select ${postgis(type, "st_extent", value)} filter (where ${finite("st_xmin")} and ${finite("st_ymin")}) as extent,
      pg_catalog.count(*)::float8 as count
    from ${source}) e`;
}

/** The rectangle of a row in the collection's own system, in longitude and latitude: its outline in many pieces. */
function outlineExtent(row: Row, collection: Collection, tolerant: boolean): SQL {
  const { type, srid } = collection.geometry;
  const { minx, miny, maxx, maxy } = row;
  const wkt = rectangleWkt([minx ?? 0, miny ?? 0, maxx ?? 0, maxy ?? 0], PIECES_PER_SIDE);
  const outline = sql`${sql.value(`SRID=${srid};${wkt}`)}::${sql.identifier(collection.postgis, "geometry")}`;
  return extentOf(collection, toSrid(sql`t.outline`, type, WGS84, { tolerant }), sql`(select ${outline} as outline) t`);
}

function toBounds(row: Row): Bounds | undefined {
  const { minx, miny, maxx, maxy } = row;
  if (minx === null || miny === null || maxx === null || maxy === null) return undefined;
  return [minx, miny, maxx, maxy];
}

/** What of a rectangle of degrees there can be. */
function inWorld(bounds: Bounds | undefined): Bounds | undefined {
  if (!bounds) return undefined;
  const clip = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit);
  const [minx, miny, maxx, maxy] = bounds;
  return outward([clip(minx, 180), clip(miny, 90), clip(maxx, 180), clip(maxy, 90)]);
}

/** Decimals of degrees: a centimetre. */
const DIGITS = 7;

/** With so many decimals as readers compare, and never smaller than it was. */
function outward([minx, miny, maxx, maxy]: Bounds): Bounds {
  const rounded = (value: number): number => Number(value.toFixed(DIGITS));
  const down = (value: number): number =>
    rounded(value) > value ? rounded(rounded(value) - 10 ** -DIGITS) : rounded(value);
  return [down(minx), down(miny), -down(-maxx), -down(-maxy)];
}
