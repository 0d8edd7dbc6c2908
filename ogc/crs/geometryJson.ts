/** The geometry in the system of the request, in the form of each format. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { postgis } from "../../server/filter/sqlTypes.ts";
import { WGS84, type Crs } from "./crs.ts";
import { baseOf, isGeography, type ColumnType } from "../../server/types/columnType.ts";
import { straightGeometry } from "../../server/types/straightGeometry.ts";

/** The SQLSTATE that PostGIS raises for a geometry that it cannot process. */
export const GEOMETRY_ERROR = "XX000";

/** Decimals of degrees: nine, a tenth of a millimetre. Metres and feet have fewer. */
const DEGREE_DIGITS = 9;
const METRE_DIGITS = 6;

/** The exactness of the geometries in an answer. */
export interface Exactness {
  /** Decimals of the coordinates in text. Default: by the system. */
  readonly precision?: number | undefined;
  /**
   * The largest distance of a simplified line from its original, in units of the system. Default: all positions are
   * written.
   */
  readonly maxOffset?: number | undefined;
}

/**
 * Options of a transformation into another system. `tolerant`: a geometry that cannot be transformed is NULL instead of
 * an error, which is slower.
 */
export interface TransformOptions extends Exactness {
  readonly tolerant?: boolean;
}

/**
 * The geometry in PostGIS's order of axes in `srid`. A value without SRID in a column without SRID is taken as
 * longitude and latitude of WGS 84.
 */
export function toSrid(value: SQL, type: ColumnType, srid: number, { tolerant = false }: TransformOptions = {}): SQL {
  const own = type.srid || (isGeography(type) ? WGS84 : 0);
  const geometry = planar(value, type);
  if (own === srid) return geometry;
  const target = sql.literal(srid);
  const transformed = (of: SQL): SQL =>
    tolerant
      ? sql`portolan.try_transform(${of}, ${target}, ${sql.value(baseOf(type).schema)})`
      : postgis(type, "st_transform", of, target);
  if (own !== 0) return transformed(geometry);
  const its = postgis(type, "st_srid", geometry);
  const assumed = postgis(type, "st_setsrid", geometry, sql.literal(WGS84));
  return sql`(case ${its} when ${target} then ${geometry} when 0 then ${
    srid === WGS84 ? assumed : transformed(assumed)
  } else ${transformed(geometry)} end)`;
}

/** A geography as a geometry; any other value unchanged. */
export function planar(value: SQL, type: ColumnType): SQL {
  return isGeography(type) ? sql`${value}::${sql.identifier(baseOf(type).schema, "geometry")}` : value;
}

/** The type of the values of `straight`. */
export function planarType(type: ColumnType): ColumnType {
  if (!isGeography(type)) return type;
  return { kind: "geometry", schema: baseOf(type).schema, name: "geometry", srid: type.srid || WGS84 };
}

/** A value of the column in the plane, made of points, lines and polygons only. */
export function straight(value: SQL, { type, geometryType }: GeometryColumn): SQL {
  return straightGeometry(planar(value, type), baseOf(type).schema, { geometryType });
}

interface Writing extends TransformOptions {
  /** Writes a geometry as PostGIS does. `digits`: the number of decimals. */
  write(geometry: SQL, digits: SQL): SQL;
}

/**
 * A geometry in the written form; NULL for NULL, and for an empty geometry, which GeoJSON readers may take for the same
 * (RFC 7946 §3.1).
 * `geometryType`: PostGIS's name, undefined where the column takes any.
 */
function written(value: SQL, { type, geometryType }: GeometryColumn, crs: Crs, { write, ...options }: Writing): SQL {
  const moved = toSrid(straight(value, { type, geometryType }), planarType(type), crs.srid, options);
  const { maxOffset } = options;
  const simple =
    maxOffset === undefined
      ? moved
      : postgis(type, "st_simplifypreservetopology", moved, sql`${sql.value(maxOffset)}::float8`);
  const ordered = crs.flipped ? postgis(type, "st_flipcoordinates", simple) : simple;
  const digits = sql.literal(digitsOf(crs, options));
  return sql`(case when not ${postgis(type, "st_isempty", planar(value, type))} then ${write(ordered, digits)} end)`;
}

export interface GeometryColumn {
  readonly type: ColumnType;
  readonly geometryType?: string | undefined;
  /** The ordinates besides x and y that all values have, where that is known. */
  readonly more?: { readonly m: boolean } | undefined;
}

export function geometryJson(value: SQL, column: GeometryColumn, crs: Crs, options: TransformOptions = {}): SQL {
  return written(value, column, crs, {
    ...options,
    write: (geometry, digits) => postgis(column.type, "st_asgeojson", geometry, digits, sql`0`),
  });
}

/** The types that GeoJSON can represent, as long as they have no measures. */
const OF_GEOJSON = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/**
 * The geometry for JSON-FG. GeoJSON where that represents all of it; else ISO's well-known binary in PostgreSQL's text
 * of bytes, x first, with arcs, surfaces and measures unchanged.
 */
export function geometryPlace(value: SQL, column: GeometryColumn, crs: Crs, options: TransformOptions = {}): SQL {
  const { type, geometryType } = column;
  const own = planar(value, type);
  if (geometryType !== undefined && OF_GEOJSON.includes(geometryType) && column.more?.m === false)
    return geometryJson(value, column, crs, options);
  const names = sql.join(
    OF_GEOJSON.map((name) => sql.literal(`ST_${name}`)),
    ", ",
  );
  const moved = toSrid(own, planarType(type), crs.srid, options);
  return sql`(case
    when ${postgis(type, "st_isempty", own)} then null
    when ${postgis(type, "st_geometrytype", own)} in (${names}) and ${postgis(type, "st_zmflag", own)} in (0, 2)
      then ${geometryJson(value, column, crs, options)}
    else ${postgis(type, "st_asbinary", moved, sql`'NDR'`)}::text end)`;
}

/** Decimals of coordinates in a system. */
export function digitsOf(crs: Crs, { precision }: Exactness): number {
  return precision ?? (crs.geographic ? DEGREE_DIGITS : METRE_DIGITS);
}

/** Well-known text (OGC 06-103r4 §7), without the number of the system. */
export function geometryWkt(value: SQL, column: GeometryColumn, crs: Crs, options: TransformOptions = {}): SQL {
  return written(value, column, crs, {
    ...options,
    write: (geometry, digits) => postgis(column.type, "st_astext", geometry, digits),
  });
}

/** Well-known binary (ISO, little-endian), with x or longitude first in every system. */
export function geometryWkb(value: SQL, column: GeometryColumn, crs: Crs, options: TransformOptions = {}): SQL {
  return written(
    value,
    column,
    { ...crs, flipped: false },
    { ...options, write: (geometry) => postgis(column.type, "st_asbinary", geometry, sql`'NDR'`) },
  );
}
