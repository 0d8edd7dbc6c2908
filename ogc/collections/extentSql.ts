/** The statements for the extent of a collection, and the reading of their answers. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { judged, rectangleWkt } from "../../server/filter/geometrySql.ts";
import { operatorIn, postgis } from "../../server/filter/sqlTypes.ts";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { sqlstateOf } from "../../server/ground/errors.ts";
import type { Bounds, Extent } from "./bounds.ts";
import { sourceOf, type SpatialCollection } from "./collections.ts";
import { WGS84 } from "../crs/crs.ts";
import { GEOMETRY_ERROR, toSrid } from "../crs/geometryJson.ts";

/** Up to this many geometries are transformed one by one. Of more, only their common rectangle is transformed. */
const EXACT_COUNT = 100_000;
const PIECES_PER_SIDE = 64;

type Row = Readonly<Record<"minx" | "miny" | "maxx" | "maxy" | "count", number | null>>;

/** The extent of a collection; undefined where there are no features. */
export async function readExtent(transaction: Transaction, collection: SpatialCollection): Promise<Extent | undefined> {
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
    const vertices = await inDegrees(exact);
    const degrees = vertices && geometry.geography ? await withPoles(transaction, collection, vertices) : vertices;
    return degrees && { degrees, storage: geometry.srid === WGS84 ? degrees : undefined };
  }
  const own = await ask(extentOf(collection, value));
  const storage = toBounds(own);
  if (!storage) return undefined;
  const isLarge = (own.count ?? 0) > EXACT_COUNT;
  const degrees = await inDegrees(isLarge ? (tolerant) => outlineExtent(own, collection, tolerant) : exact);
  return degrees && { degrees, storage };
}

/**
 * Extends the rectangle to a pole that lies inside a polygon on the globe, since the polygon's vertices do not reach
 * it.
 */
async function withPoles(transaction: Transaction, collection: SpatialCollection, bounds: Bounds): Promise<Bounds> {
  const { type, geometryType = "" } = collection.geometry;
  if (/Point|LineString/.test(geometryType)) return bounds;
  const value = sql`t.${sql.identifier(collection.geometry.name)}`;
  const hasIn = (latitude: number): SQL => {
    const pole = sql`${sql.literal(`SRID=${type.srid || WGS84};POINT(0 ${latitude})`)}::${sql.identifier(collection.postgis, "geography")}`;
    const boxes = sql`${value} ${operatorIn(collection.postgis, "&&")} ${pole}`;
    const exact = postgis(type, "st_intersects", judged(value, type, collection.geometry.geometryType), pole);
    return sql`exists (select from ${sourceOf(collection)} t where ${boxes} and ${exact})`;
  };
  const { text, values } = sql.compile(sql`select ${hasIn(90)} as north, ${hasIn(-90)} as south`);
  const { rows } = await transaction.query<{ north: boolean; south: boolean }>({ text, values });
  const { north, south } = rows[0]!;
  if (!north && !south) return bounds;
  return [-180, south ? -90 : bounds[1], 180, north ? 90 : bounds[3]];
}

/**
 * Whether a collection can be part of a batch, which reads the extents of many tables in one statement with one scan of
 * each.
 */
export function canBeRead(collection: SpatialCollection): boolean {
  const { geometry, kind, routine, rowSecurity } = collection;
  return (
    (kind === "r" || kind === "p" || kind === "m") &&
    !routine &&
    !rowSecurity &&
    !geometry.geography &&
    geometry.srid === WGS84
  );
}

/** The extents of several collections, each of which `canBeRead`. */
export async function readExtents(
  transaction: Transaction,
  collections: readonly SpatialCollection[],
): Promise<readonly (Extent | undefined)[]> {
  // parallel workers give the rows in any order
  const all = collections.map(
    (collection, index) =>
      sql`select ${sql.literal(index)} as number, x.* from (${extentOf(collection, sql`t.${sql.identifier(collection.geometry.name)}`)}) x`,
  );
  const { text, values } = sql.compile(sql.join(all, " union all "));
  const { rows } = await transaction.query<Row & { readonly number: number }>({ text, values });
  const found = new Map(rows.map((row) => [row.number, inWorld(toBounds(row))]));
  return collections.map((_, index) => {
    const degrees = found.get(index);
    return degrees && { degrees, storage: degrees };
  });
}

function extentOf(collection: SpatialCollection, value: SQL, source = sql`${sourceOf(collection)} t`): SQL {
  const { type } = collection.geometry;
  // one coordinate that is not a number would spoil the whole extent; PostgreSQL sorts NaN above all numbers
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

/**
 * The rectangle of a row, from the collection's own system to longitude and latitude. Its outline is transformed in
 * many pieces.
 */
function outlineExtent(row: Row, collection: SpatialCollection, tolerant: boolean): SQL {
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

/** The valid part of a rectangle of degrees. */
function inWorld(bounds: Bounds | undefined): Bounds | undefined {
  if (!bounds) return undefined;
  const clip = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit);
  const [minx, miny, maxx, maxy] = bounds;
  if (minx > 180 || maxx < -180 || miny > 90 || maxy < -90) return undefined; // the coordinates are not degrees
  return outward([clip(minx, 180), clip(miny, 90), clip(maxx, 180), clip(maxy, 90)]);
}

/** Decimals of degrees: seven, which is about a centimetre. */
const DIGITS = 7;

/** Rounds a rectangle outward to as many decimals as readers compare, so that it never becomes smaller. */
export function outward([minx, miny, maxx, maxy]: Bounds): Bounds {
  const rounded = (value: number): number => Number(value.toFixed(DIGITS));
  const down = (value: number): number =>
    rounded(value) > value ? rounded(rounded(value) - 10 ** -DIGITS) : rounded(value);
  return [down(minx), down(miny), -down(-maxx), -down(-maxy)];
}
