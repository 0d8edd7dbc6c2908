/** Geometries without what GeoJSON and GEOS do not have: arcs, surfaces, collections within collections, and empty parts. */
import { sql, type SQL } from "postgraphile/pg-sql2";

/** PostGIS' names: simple types stay unchanged, the others may have empty parts to leave out. */
const PLAIN = ["Point", "LineString", "Polygon"];
/** The multi-types, at the index that `st_collectionextract` has for their parts. */
const MANY = ["MultiPoint", "MultiLineString", "MultiPolygon"];

export interface StraightOptions {
  /** The only type that the geometries have. Default: they may have any. */
  readonly geometryType?: string | undefined;
  /**
   * Whether the result is for GEOS: a surface becomes the area that it covers, and a value that crashes GEOS becomes NULL.
   */
  readonly forGeos?: boolean;
}

/** `value`: a geometry, not a geography. `schema`: of PostGIS. An empty geometry may become another empty geometry. */
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
