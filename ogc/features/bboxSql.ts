/** `bbox` as a condition on the geometry column. The spatial index finds the candidates, and an exact test decides. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { judged, rectangleWkt } from "../../server/filter/geometrySql.ts";
import { operatorIn, postgis } from "../../server/filter/sqlTypes.ts";
import { bbox as degreesBbox } from "../../server/filter/spatial.ts";
import type { SpatialCollection, SpatialColumn } from "../collections/collections.ts";
import { WGS84 } from "../crs/crs.ts";
import { planar, planarType, toSrid, type TransformOptions } from "../crs/geometryJson.ts";
import type { Bounds } from "../collections/bounds.ts";
import type { Bbox } from "../exchange/parameters/bbox.ts";
import { baseOf, type ColumnType } from "../../server/types/columnType.ts";

const MERCATOR = 3857;
/** Half the width of Web Mercator's world in metres. */
const MERCATOR_EDGE = 20_037_508.342789244;
/** The widest rectangle, in degrees, that is transformed to a projected system for use with its index. */
const WIDEST_DEGREES = 60;
const PIECES_PER_SIDE = 32;

/** The condition that the geometry of row `alias` shares a point with the box, and a height if the box has heights. */
export function bboxCondition(
  collection: SpatialCollection,
  bbox: Bbox,
  alias: SQL,
  options: TransformOptions = {},
): SQL {
  const { geometry: column } = collection;
  const target = sql`${alias}.${sql.identifier(column.name)}`;
  const parts = split(bbox.bounds).map((bounds) => rectangle(target, collection, { bounds, crs: bbox.crs }, options));
  const horizontal = sql`(${sql.join(parts, " or ")})`;
  return bbox.heights ? sql`(${horizontal} and ${heights(target, column.type, bbox.heights)})` : horizontal;
}

/**
 * The text of the box, if its condition depends on the collection alone: the box is in the system of the column, does
 * not cross the antimeridian, and has no heights. Undefined for any other box.
 */
export function plainBox({ geometry }: SpatialCollection, { bounds, crs, heights: high }: Bbox): string | undefined {
  const [minx, , maxx] = bounds;
  const isPlain = geometry.srid === crs.srid && !geometry.geography && minx <= maxx && !high;
  return isPlain && !(crs.geographic && isWorld(bounds)) ? boxText(bounds, crs.srid) : undefined;
}

/** The condition of `bboxCondition` for a plain box. `text`: the result of `plainBox`. */
export function plainBoxCondition(
  { geometry }: SpatialCollection,
  text: SQL,
  alias: SQL,
  options: TransformOptions = {},
): SQL {
  const target = sql`${alias}.${sql.identifier(geometry.name)}`;
  return sql`(${overlapping(target, geometry, asGeometry(text, geometry.type), options)})`;
}

function overlapping(target: SQL, { type, geometryType }: SpatialColumn, box: SQL, options: TransformOptions): SQL {
  const shown = judged(planar(target, type), planarType(type), geometryType);
  return sql`(${overlaps(target, box, type)} and ${intersects(shown, box, type, options)})`;
}

/** The parts of a box: two where it crosses the antimeridian. */
function split(bounds: Bounds): Bounds[] {
  const [minx, miny, maxx, maxy] = bounds;
  if (minx <= maxx) return [bounds];
  return [
    [minx, miny, 180, maxy],
    [-180, miny, maxx, maxy],
  ];
}

function rectangle(
  target: SQL,
  { geometry, srs }: SpatialCollection,
  { bounds, crs }: Pick<Bbox, "bounds" | "crs">,
  options: TransformOptions,
): SQL {
  const { type, srid, geography, geometryType } = geometry;
  if (crs.geographic && isWorld(bounds)) return sql`not ${postgis(type, "st_isempty", planar(target, type))}`;
  const box = geometryLiteral(bounds, crs.srid, type);
  const shown = judged(planar(target, type), planarType(type), geometryType);
  if (srid === crs.srid && !geography) return overlapping(target, geometry, box, options);
  const degrees = crs.srid === WGS84 ? bounds : crs.srid === MERCATOR ? mercatorToDegrees(bounds) : undefined;
  // a rectangle of Mercator is a rectangle of degrees too, which suffices for the index on degrees
  if (degrees && (geography || srid === WGS84) && !options.tolerant) return degreesBbox(target, type, degrees, "bbox");
  const exact = intersects(toSrid(shown, planarType(type), crs.srid, options), box, type, options);
  const candidates =
    degrees &&
    !geography &&
    srid !== 0 &&
    !options.tolerant &&
    candidateBox(degrees, type, srid, srs?.geographic ?? false);
  return candidates ? sql`(${overlaps(target, candidates, type)} and ${exact})` : exact;
}

function isWorld([minx, miny, maxx, maxy]: Bounds): boolean {
  return minx <= -180 && miny <= -90 && maxx >= 180 && maxy >= 90;
}

function geometryLiteral(bounds: Bounds, srid: number, type: ColumnType, pieces = 1): SQL {
  return asGeometry(sql.value(boxText(bounds, srid, pieces)), type);
}

function boxText(bounds: Bounds, srid: number, pieces?: number): string {
  return `SRID=${srid};${rectangleWkt(bounds, pieces)}`;
}

function asGeometry(text: SQL, type: ColumnType): SQL {
  return sql`${text}::${sql.identifier(baseOf(type).schema, "geometry")}`;
}

function overlaps(target: SQL, box: SQL, type: ColumnType): SQL {
  return sql`${target} ${operatorIn(baseOf(type).schema, "&&")} ${box}`;
}

function intersects(target: SQL, box: SQL, type: ColumnType, { tolerant }: TransformOptions): SQL {
  return tolerant
    ? sql`portolan.try_intersects(${target}, ${box}, ${sql.literal(baseOf(type).schema)})`
    : postgis(type, "st_intersects", target, box);
}

/**
 * A box in the column's own system around a rectangle of degrees, for the index. It is made from the outline in many
 * pieces, and a margin for the points between them. Undefined where the rectangle may leave the area of a projection.
 */
function candidateBox(
  [minx, miny, maxx, maxy]: Bounds,
  type: ColumnType,
  srid: number,
  geographic: boolean,
): SQL | undefined {
  const clipped: Bounds = [Math.max(minx, -180), Math.max(miny, -90), Math.min(maxx, 180), Math.min(maxy, 90)];
  const size = Math.max(clipped[2] - clipped[0], clipped[3] - clipped[1]);
  const isMercator = srid === MERCATOR;
  if (size > WIDEST_DEGREES && !isMercator && !geographic) return undefined;
  // Mercator does not reach the poles
  const [south, north] = isMercator
    ? [Math.max(clipped[1], -89.9), Math.min(clipped[3], 89.9)]
    : [clipped[1], clipped[3]];
  if (south > north) return undefined;
  const outline = geometryLiteral([clipped[0], south, clipped[2], north], WGS84, type, PIECES_PER_SIDE);
  const moved = postgis(type, "st_transform", outline, sql.literal(srid));
  // a hundredth of a degree for every degree of the rectangle, in metres or feet; more where it is of another datum
  const margin = geographic ? 0.01 : isMercator ? 1 : Math.max(1, size * 4000);
  return postgis(type, "st_expand", postgis(type, "st_envelope", moved), sql`${sql.value(String(margin))}::float8`);
}

function mercatorToDegrees([minx, miny, maxx, maxy]: Bounds): Bounds {
  const longitude = (x: number): number => (Math.min(Math.max(x, -MERCATOR_EDGE), MERCATOR_EDGE) / MERCATOR_EDGE) * 180;
  const latitude = (y: number): number => (Math.atan(Math.sinh((y / MERCATOR_EDGE) * Math.PI)) * 180) / Math.PI;
  return [longitude(minx), latitude(miny), longitude(maxx), latitude(maxy)];
}

/** The condition on heights. A geometry without heights matches every height. */
function heights(target: SQL, type: ColumnType, [minz, maxz]: readonly [number, number]): SQL {
  const geometry = planar(target, type);
  const box = sql`${geometry}::${sql.identifier(baseOf(type).schema, "box3d")}`;
  const number = (value: number): SQL => sql`${sql.value(String(value))}::float8`;
  return sql`(${postgis(type, "st_zmflag", geometry)} in (0, 1) or (${postgis(type, "st_zmin", box)} <= ${number(maxz)} and ${postgis(
    type,
    "st_zmax",
    box,
  )} >= ${number(minz)}))`;
}
