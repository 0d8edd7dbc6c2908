/** Geometries in the requested reference system, in the encodings of the formats. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { postgis } from "../filter/sqlTypes.ts";
import { baseOf, type ColumnType } from "../types/columnType.ts";
import { finiteText } from "../types/sqlJson.ts";
import { straightGeometry } from "../types/straightGeometry.ts";
import type { Dimensions } from "./dimensions.ts";

/** What a type modifier declares of geometries. */
export interface DeclaredGeometries {
  /** PostGIS' name, such as `MultiPolygon`. */
  readonly geometryType: string | undefined;
  readonly more: Dimensions | undefined;
  /** Undefined where any is allowed. */
  readonly srid: number | undefined;
}

const plain = (value: SQL, type: ColumnType): SQL => sql`${value}::${sql.identifier(baseOf(type).schema, "geometry")}`;

/** Without arcs and similar curves. `srs`: EPSG code. */
function inSystem(value: SQL, type: ColumnType, srs: number): SQL {
  return moveTo(plain(value, type), straightGeometry(plain(value, type), baseOf(type).schema), type, srs);
}

/** `geometry`, made of `own`. One without a reference system keeps its coordinates. */
function moveTo(own: SQL, geometry: SQL, type: ColumnType, srs: number): SQL {
  const srid = postgis(type, "st_srid", own);
  const moved = postgis(type, "st_transform", geometry, sql`${sql.value(srs)}::pg_catalog.int4`);
  const stays = sql`${srid} operator(pg_catalog.=) any (array[0, ${sql.value(srs)}::pg_catalog.int4])`;
  return sql`(case when ${stays} then ${geometry} else ${moved} end)`;
}

/** GeoJSON (RFC 7946); NULL where a coordinate is NaN or infinite. */
export function geojsonOf(value: SQL, type: ColumnType, srs: number): SQL {
  return finiteText(postgis(type, "st_asgeojson", inSystem(value, type, srs), sql`9`, sql`0`));
}

interface WkbOptions {
  /** EPSG code. */
  readonly srs: number;
  /** Whether arcs, surfaces and measures stay as they are; else it has points, lines and polygons. Default false. */
  readonly isExact?: boolean;
  /** What the column declares: PostgreSQL need not look for it in each row. */
  readonly declared?: DeclaredGeometries | undefined;
}

/** Well-known binary of ISO, little-endian; NULL for an empty geometry. */
export function wkbOf(value: SQL, type: ColumnType, { srs, isExact = false, declared }: WkbOptions): SQL {
  const own = plain(value, type);
  const geometry = isExact ? own : straightGeometry(own, baseOf(type).schema, { geometryType: declared?.geometryType });
  const moved = declared?.srid === srs ? geometry : moveTo(own, geometry, type, srs);
  return sql`(case when not ${postgis(type, "st_isempty", own)} then ${postgis(type, "st_asbinary", moved, sql`'NDR'`)} end)`;
}

/**
 * `kind` of a geometry, by which rows are grouped, and whether the geometries of a group have heights (`z`) and measures
 * (`m`).
 */
export function kindsOf(value: SQL, type: ColumnType): SQL {
  const geometry = plain(value, type);
  const kind = postgis(type, "st_geometrytype", straightGeometry(geometry, baseOf(type).schema));
  const flags = postgis(type, "st_zmflag", geometry);
  return sql`${kind} as kind, coalesce(pg_catalog.bool_or(${flags} in (2, 3)), false) as z, coalesce(pg_catalog.bool_or(${flags} in (1, 3)), false) as m`;
}
