/**
 * The operators of geometry and geography. Each has `column && box` beside its exact test: under row level security
 * PostgreSQL uses the GiST index for nothing else, and only then if `&&` is marked leakproof.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../ground/errors.ts";
import { parseGeometry, WGS84, withoutEmptyParts, type Bounds, type Geometry } from "../types/geometry.ts";
import { columnValue, geometryIn, judged, rectangleWkt, sridOf } from "./geometrySql.ts";
import { elements, finiteNumber, isObject, members } from "../types/json.ts";
import { at, show } from "../types/show.ts";
import { operatorIn, operatorSchema, postgis } from "./sqlTypes.ts";
import { geometryToSql } from "./values.ts";
import { baseOf, isGeography, type ColumnType } from "../types/columnType.ts";
import { straightGeometry } from "../types/straightGeometry.ts";

function overlaps(target: SQL, box: SQL, type: ColumnType): SQL {
  return sql`${target} ${operatorIn(operatorSchema(type), "&&")} ${box}`;
}

/** In a column without SRID the value takes the SRID of each row, and its coordinates are taken as they are. */
function inSridOf(target: SQL, value: SQL, type: ColumnType): SQL {
  return sridOf(type) === 0 ? postgis(type, "st_setsrid", value, postgis(type, "st_srid", target)) : value;
}

/** The box test when there is a box, and the exact one. */
function both(box: SQL | undefined, exact: SQL): SQL {
  return box ? sql`(${box} and ${exact})` : exact;
}

/** `intersects`: rows that share a point with `value`, GeoJSON or EWKT. Geography: on the sphere. */
export function intersects(target: SQL, type: ColumnType, value: unknown, path: string): SQL {
  const other = geometryToSql(withoutEmptyParts(parseGeometry(value, path)), type);
  const exact = postgis(type, "st_intersects", judged(target, type), inSridOf(target, other, type));
  return both(overlaps(target, other, type), exact);
}

// Rectangles of longitude and latitude ------------------------------------------------------------

/** Reference systems that the whole world fits into with its edges straight: geographic ones, and Mercator. */
const MERCATOR: ReadonlySet<number> = new Set([3857, 3395, 900913]);
const STRAIGHT: ReadonlySet<number> = new Set([WGS84, 4258, 4269, 4283, 4979, 7844, ...MERCATOR]);
/** No Mercator reaches a pole. */
const MERCATOR_LATITUDE = 89.9;
/** A wider rectangle may leave the domain of a projection, whose results are then meaningless. */
const WIDEST_DEGREES = 60;
const PIECES_PER_SIDE = 32;

/**
 * The rectangle `bounds` (degrees) in the reference system of a geometry column, or undefined when it is too wide for
 * that. Edges that a projection bends are followed in 32 pieces.
 */
function rectangleIn(bounds: Bounds, type: ColumnType): SQL | undefined {
  const srid = sridOf(type);
  const [minx, miny, maxx, maxy] = bounds;
  if (STRAIGHT.has(srid)) {
    const limit = MERCATOR.has(srid) ? MERCATOR_LATITUDE : 90;
    const within = (latitude: number): number => Math.min(limit, Math.max(-limit, latitude));
    const wkt = rectangleWkt([minx, within(miny), maxx, within(maxy)]);
    return geometryIn(sql.value(`SRID=${WGS84};${wkt}`), type, srid === WGS84 ? 0 : srid);
  }
  if (Math.max(maxx - minx, maxy - miny) > WIDEST_DEGREES) return undefined;
  return geometryIn(sql.value(`SRID=${WGS84};${rectangleWkt(bounds, PIECES_PER_SIDE)}`), type, srid);
}

/** The column in longitude and latitude of WGS 84. */
function toWgs84(target: SQL, type: ColumnType): SQL {
  const plain = isGeography(type) ? geometryIn(target, type, 0) : target;
  const geometry = straightGeometry(plain, baseOf(type).schema, { forGeos: true });
  return sridOf(type) === WGS84 ? geometry : postgis(type, "st_transform", geometry, sql.literal(WGS84));
}

/**
 * The input for a geography index to find everything in a rectangle: tiles so small that the great circles between their
 * corners stay near the parallels, and a margin for the remaining distance (under 50 m for 0.5°).
 */
function geographyTiles([minx, miny, maxx, maxy]: Bounds): string {
  const margin = 0.001;
  const [south, north] = [Math.max(-90, miny - margin), Math.min(90, maxy + margin)];
  const [west, east] = [Math.max(-180, minx - margin), Math.min(180, maxx + margin)];
  const [columns, rows] = [Math.ceil((east - west) / 60), Math.ceil((north - south) / 60)];
  const tiles = Array.from({ length: columns * rows }, (_, index): string => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const x = (part: number): number => west + ((east - west) * part) / columns;
    const y = (part: number): number => south + ((north - south) * part) / rows;
    return rectangleWkt([x(column), y(row), x(column + 1), y(row + 1)], 120).replace("POLYGON", "");
  });
  return `SRID=${WGS84};MULTIPOLYGON(${tiles.join(",")})`;
}

const BBOX_EXPECTED = "[minx, miny, maxx, maxy] in degrees of longitude and latitude (WGS 84)";

function bboxOf(value: unknown, type: ColumnType, path: string): Bounds {
  const numbers = elements(value, path, BBOX_EXPECTED).map(([each, eachPath]) => finiteNumber(each, eachPath));
  if (numbers.length !== 4) badInput(`${path}: expected ${BBOX_EXPECTED}, got ${numbers.length} numbers`);
  const [minx, miny, maxx, maxy] = numbers as [number, number, number, number];
  if (minx > maxx || miny > maxy) badInput(`${path}: the lower corner is above the upper corner (${BBOX_EXPECTED})`);
  if (sridOf(type) === 0) return [minx, miny, maxx, maxy];
  if (minx > 180 || maxx < -180 || miny > 90 || maxy < -90) badInput(`${path}: it is outside the world`);
  return [Math.max(-180, minx), Math.max(-90, miny), Math.min(180, maxx), Math.min(90, maxy)];
}

/**
 * `bbox`: rows that share a point with the rectangle `[minx, miny, maxx, maxy]`, degrees of longitude and latitude (for a
 * column without SRID: its own units). Parts beyond the world are cut off; it cannot cross the antimeridian.
 */
export function bbox(target: SQL, type: ColumnType, value: unknown, path: string): SQL {
  const bounds = bboxOf(value, type, path);
  if (sridOf(type) === 0) {
    const box = geometryIn(sql.value(rectangleWkt(bounds)), type, 0);
    const exact = postgis(type, "st_intersects", judged(target, type), inSridOf(target, box, type));
    return both(overlaps(target, box, type), exact);
  }
  const rectangle = sql.value(`SRID=${WGS84};${rectangleWkt(bounds)}`);
  if (isGeography(type)) {
    const box = columnValue(sql.value(geographyTiles(bounds)), type, sridOf(type) !== WGS84);
    const exact = postgis(type, "st_intersects", toWgs84(target, type), geometryIn(rectangle, type, 0));
    return both(overlaps(target, box, type), exact);
  }
  const box = rectangleIn(bounds, type);
  if (box) return both(overlaps(target, box, type), postgis(type, "st_intersects", judged(target, type), box));
  return postgis(type, "st_intersects", toWgs84(target, type), geometryIn(rectangle, type, 0));
}

// Distance ----------------------------------------------------------------------------------------

/** A little less than the shortest degree of latitude. */
const METRES_PER_DEGREE = 110_000;
const LONGEST_BUFFER_METRES = 1_000_000;

/** Longitudes and latitudes that hold all within `metres` of `bounds`: all around near a pole and over the antimeridian. */
function within([minx, miny, maxx, maxy]: Bounds, metres: number): Bounds {
  const degrees = metres / METRES_PER_DEGREE;
  const farthest = Math.max(Math.abs(miny), Math.abs(maxy)) + degrees;
  const [south, north] = [Math.max(-90, miny - degrees), Math.min(90, maxy + degrees)];
  if (farthest >= 89) return [-180, south, 180, north];
  const around = degrees / Math.cos((farthest * Math.PI) / 180);
  if (minx - around < -180 || maxx + around > 180) return [-180, south, 180, north];
  return [minx - around, south, maxx + around, north];
}

/** A box in a geometry column's SRID around all within `metres` of `other`; undefined when there is no good one. */
function boxAround(other: Geometry, metres: number, type: ColumnType): SQL | undefined {
  const isWgs84 = (other.srid || sridOf(type)) === WGS84;
  if (isWgs84 && other.bounds) return rectangleIn(within(other.bounds, metres), type);
  if (metres > LONGEST_BUFFER_METRES) return undefined;
  const centre = geometryIn(sql.value(`SRID=${other.srid || sridOf(type)};${other.wkt}`), type, WGS84);
  const geography = sql`${centre}::${sql.identifier(operatorSchema(type), "geography")}`;
  // The buffer's arcs are polygons: 5 % more holds the circle.
  const buffer = postgis(type, "st_buffer", geography, sql.literal(metres * 1.05 + 1));
  return geometryIn(buffer, type, sridOf(type));
}

const DWITHIN_EXPECTED = `{"geometry": GeoJSON or EWKT, "distance": metres}`;

/**
 * `dwithin`: rows no farther than `distance` from `geometry`: metres on the earth's surface, whatever the column's
 * reference system; only a column without SRID has its own units.
 */
export function dwithin(target: SQL, type: ColumnType, value: unknown, path: string): SQL {
  if (!isObject(value)) return badInput(`${path}: expected ${DWITHIN_EXPECTED}, got ${show(value)}`);
  const { geometry, distance } = members(value, ["geometry", "distance"], path, DWITHIN_EXPECTED);
  const metres = finiteNumber(distance, at(path, "distance"), "a distance, 0 or more");
  if (metres < 0) badInput(`${at(path, "distance")}: expected a distance, 0 or more, got ${metres}`);
  const other = withoutEmptyParts(parseGeometry(geometry, at(path, "geometry")));
  const sqlDistance = sql`${sql.value(String(metres))}::pg_catalog.float8`;
  if (isGeography(type)) {
    const there = geometryToSql(other, type);
    const box = overlaps(target, postgis(type, "_st_expand", there, sqlDistance), type);
    return both(box, postgis(type, "st_dwithin", judged(target, type), there, sqlDistance));
  }
  if (sridOf(type) === 0) {
    const there = geometryToSql(other, type);
    const box = overlaps(target, postgis(type, "st_expand", there, sqlDistance), type);
    return both(box, postgis(type, "st_dwithin", judged(target, type), inSridOf(target, there, type), sqlDistance));
  }
  const box = boxAround(other, metres, type);
  const geography = sql.identifier(operatorSchema(type), "geography");
  const srid = other.srid || sridOf(type);
  const there = geometryIn(sql.value(`SRID=${srid};${other.wkt}`), type, srid === WGS84 ? 0 : WGS84);
  const exact = postgis(
    type,
    "st_dwithin",
    sql`${toWgs84(target, type)}::${geography}`,
    sql`${there}::${geography}`,
    sqlDistance,
  );
  return both(box && overlaps(target, box, type), exact);
}
