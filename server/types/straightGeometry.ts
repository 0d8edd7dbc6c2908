/** Geometries without what GeoJSON and GEOS do not have: arcs, surfaces, collections within collections, and empty parts. */
import { sql, type SQL } from "postgraphile/pg-sql2";

/** As PostGIS names them: to the plain ones nothing is to be done, of the others empty parts are to be left out. */
const PLAIN = ["Point", "LineString", "Polygon"];
/** By what `st_collectionextract` calls their parts. */
const MANY = ["MultiPoint", "MultiLineString", "MultiPolygon"];

export interface StraightOptions {
  /** The only type that the geometries have. Default: they may have any. */
  readonly geometryType?: string | undefined;
  /** Whether GEOS is to judge it: a surface is then what it covers, and what GEOS does not survive is NULL. */
  readonly forGeos?: boolean;
}

/** `value`: a geometry, and no geography. `schema`: of PostGIS. What is empty may become another empty geometry. */
export function straightGeometry(
  value: SQL,
  schema: string,
  { geometryType, forGeos = false }: StraightOptions = {},
): SQL {
  if (geometryType !== undefined && PLAIN.includes(geometryType)) return value;
  const full = (index: number): SQL =>
    sql`${sql.identifier(schema, "st_collectionextract")}(${value}, ${sql.literal(index + 1)})`;
  if (geometryType !== undefined && MANY.includes(geometryType)) return full(MANY.indexOf(geometryType));
  const when = (type: string, then: SQL): SQL => sql`when ${sql.literal(`ST_${type}`)} then ${then}`;
  const cases = [...PLAIN.map((type) => when(type, value)), ...MANY.map((type, index) => when(type, full(index)))];
  const other = sql`portolan.straight_geometry(${value}, ${sql.literal(schema)}${forGeos ? sql`, true` : sql.blank})`;
  return sql`(case ${sql.identifier(schema, "st_geometrytype")}(${value}) ${sql.join(cases, " ")} else ${other} end)`;
}
