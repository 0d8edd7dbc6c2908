/** Geometries in the reference system that whoever asks wants, and as formats have them. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { postgis } from "../filter/sqlTypes.ts";
import { baseOf, type ColumnType } from "../types/columnType.ts";

/** One without a reference system stays as it is. `srs`: EPSG code. */
function inSystem(value: SQL, type: ColumnType, srs: number): SQL {
  const geometry = sql`${value}::${sql.identifier(baseOf(type).schema, "geometry")}`;
  const srid = postgis(type, "st_srid", geometry);
  const moved = postgis(type, "st_transform", geometry, sql`${sql.value(srs)}::pg_catalog.int4`);
  const stays = sql`${srid} operator(pg_catalog.=) any (array[0, ${sql.value(srs)}::pg_catalog.int4])`;
  return sql`(case when ${stays} then ${geometry} else ${moved} end)`;
}

/** GeoJSON (RFC 7946), which has no arcs. */
export function geojsonOf(value: SQL, type: ColumnType, srs: number): SQL {
  const straight = postgis(type, "st_curvetoline", inSystem(value, type, srs));
  return postgis(type, "st_asgeojson", straight, sql`9`, sql`0`);
}

/** Well-known binary of ISO, little-endian, without arcs; NULL for an empty geometry. */
export function wkbOf(value: SQL, type: ColumnType, srs: number): SQL {
  const moved = inSystem(value, type, srs);
  const straight = postgis(type, "st_curvetoline", moved);
  return sql`(case when not ${postgis(type, "st_isempty", moved)} then ${postgis(type, "st_asbinary", straight, sql`'NDR'`)} end)`;
}

/** `kind` of a geometry without arcs, by which rows are grouped, and whether those of a group have heights (`z`) and measures (`m`). */
export function kindsOf(value: SQL, type: ColumnType): SQL {
  const geometry = sql`${value}::${sql.identifier(baseOf(type).schema, "geometry")}`;
  const kind = postgis(type, "st_geometrytype", postgis(type, "st_curvetoline", geometry));
  const flags = postgis(type, "st_zmflag", geometry);
  return sql`${kind} as kind, coalesce(pg_catalog.bool_or(${flags} in (2, 3)), false) as z, coalesce(pg_catalog.bool_or(${flags} in (1, 3)), false) as m`;
}
