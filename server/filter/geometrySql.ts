/** Geometries as SQL, in the reference system of the column they are meant for. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { WGS84, type Bounds, type Geometry } from "../types/geometry.ts";
import { postgis } from "./sqlTypes.ts";
import { baseOf, isGeography, type ColumnType } from "../types/columnType.ts";
import { straightGeometry } from "../types/straightGeometry.ts";

/** The SRID that values of the column have; 0 when it is not fixed. */
export function sridOf(type: ColumnType): number {
  return type.srid || (isGeography(type) ? WGS84 : 0);
}

/** EWKT of `geometry`; one without SRID gets the column's. */
export function ewkt(geometry: Geometry, type: ColumnType): string {
  const srid = geometry.srid || sridOf(type);
  return srid === 0 ? geometry.wkt : `SRID=${srid};${geometry.wkt}`;
}

/** Whether the geometry must be transformed for the column. A column without SRID takes it unchanged. */
export function needsTransform(geometry: Geometry, type: ColumnType): boolean {
  const srid = sridOf(type);
  return srid !== 0 && geometry.srid !== 0 && geometry.srid !== srid;
}

/** `text`, an SQL text of EWKT, as PostGIS's geometry in `srid` (0: as it is). */
export function geometryIn(text: SQL, type: ColumnType, srid: number): SQL {
  const geometry = sql`${text}::${sql.identifier(baseOf(type).schema, "geometry")}`;
  return srid === 0 ? geometry : postgis(type, "st_transform", geometry, sql.literal(srid));
}

/** The same as a value of the column's type. */
export function columnValue(text: SQL, type: ColumnType, transform: boolean): SQL {
  const geometry = geometryIn(text, type, transform ? sridOf(type) : 0);
  return isGeography(type) ? sql`${geometry}::${sql.identifier(baseOf(type).schema, "geography")}` : geometry;
}

/**
 * A value of a row for functions of GEOS, which know neither surfaces nor arcs and crash on some empty parts. NULL for a
 * value that would crash them.
 */
export function judged(value: SQL, type: ColumnType, geometryType?: string): SQL {
  const { schema } = baseOf(type);
  if (!isGeography(type)) return straightGeometry(value, schema, { geometryType, forGeos: true });
  const straight = straightGeometry(geometryIn(value, type, 0), schema, { geometryType, forGeos: true });
  return sql`${straight}::${sql.identifier(schema, "geography")}`;
}

/** The type of a column's geometries, beside their system. */
export interface GeometryShape {
  /** GeoJSON's name; undefined: any. */
  readonly geometryType: string | undefined;
  /** Which ordinates it has beside x and y; undefined: any. */
  readonly more: { readonly z: boolean; readonly m: boolean } | undefined;
}

/** Types with arcs → the type that they have where none is an arc. */
const CURVED: ReadonlyMap<string | undefined, string> = new Map([
  ["CompoundCurve", "LineString"],
  ["CurvePolygon", "Polygon"],
  ["MultiCurve", "MultiLineString"],
  ["MultiSurface", "MultiPolygon"],
]);

/** The types of GeoJSON that a column of one type takes: those that `asColumnHasIt` makes of that type. */
export function takenTypes(geometryType: string): readonly string[] {
  const plain = CURVED.get(geometryType) ?? geometryType;
  const single = /^Multi(.+)$/.exec(plain)?.[1];
  return single === undefined ? [plain] : [plain, single];
}

/** One geometry is many of one, lines are curves; a missing height is 0, and one too many is dropped. */
export function asColumnHasIt(type: ColumnType, { geometryType, more }: GeometryShape, geometry: SQL): SQL {
  if (!more) return geometry;
  const { z, m } = more;
  const force = z && m ? "st_force4d" : z ? "st_force3dz" : m ? "st_force3dm" : "st_force2d";
  const forced = postgis(type, force, geometry);
  const many = geometryType?.startsWith("Multi") ? postgis(type, "st_multi", forced) : forced;
  return CURVED.has(geometryType) ? postgis(type, "st_forcecurve", many) : many;
}

/** The rectangle of `bounds`, with `perSide` pieces to each side, as WKT; a line or point where it has no area. */
export function rectangleWkt([minx, miny, maxx, maxy]: Bounds, perSide = 1): string {
  if (minx === maxx && miny === maxy) return `POINT(${minx} ${miny})`;
  if (minx === maxx || miny === maxy) return `LINESTRING(${minx} ${miny},${maxx} ${maxy})`;
  const corners = [
    [minx, miny],
    [maxx, miny],
    [maxx, maxy],
    [minx, maxy],
  ] as const;
  const positions = corners.flatMap(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!;
    return Array.from({ length: perSide }, (_, step) => {
      const part = step / perSide;
      return `${x + (nextX - x) * part} ${y + (nextY - y) * part}`;
    });
  });
  return `POLYGON((${positions.join(",")},${minx} ${miny}))`;
}
