/** Converts the values of a body to PostgreSQL's text, and that text to SQL of the column's type. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import {
  asColumnHasIt,
  ewkt,
  geometryIn,
  needsTransform,
  sridOf,
  takenTypes,
} from "../../server/filter/geometrySql.ts";
import { typeName } from "../../server/filter/sqlTypes.ts";
import { toTextValue } from "../../server/filter/values.ts";
import { badInput } from "../../server/ground/errors.ts";
import { baseOf, isGeography } from "../../server/types/columnType.ts";
import { parseGeometry } from "../../server/types/geometry.ts";
import { plainGeometry } from "../../server/types/plainGeometry.ts";
import { isObject } from "../../server/types/json.ts";
import { show } from "../../server/types/show.ts";
import { rowOf } from "../../server/types/table.ts";
import type { Collection, CollectionColumn, SpatialColumn } from "../collections/collections.ts";
import { CRS84, type Crs } from "../crs/crs.ts";
import { withTextNumbers } from "./json.ts";

/** The text of a value other than the feature's geometry; null for JSON null. Throws `BAD_USER_INPUT`. */
export function textOf(column: CollectionColumn, json: unknown, path: string): string | null {
  if (json === null || json === undefined) return null;
  if (isSpatial(column)) return geometryText(column, json, path, CRS84);
  const { type } = column;
  const value = type.kind === "json" ? json : withTextNumbers(json);
  const text = toTextValue(value, type, path);
  return text === null || type.kind !== "datetime" || rowOf(type).moment !== "timestamp"
    ? text
    : inUtc(text, rowOf(type).schema["format"] === "date-time");
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** A timestamp without zone is taken as UTC. It is stored in UTC where the column has no zone. */
function inUtc(text: string, hasZone: boolean): string {
  const [, day, time = "00:00", fraction = "", zone] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined) return text;
  if (hasZone) return zone === undefined ? `${day} ${time}${fraction}Z` : text;
  if (zone === undefined) return text;
  const moment = Date.parse(`${day}T${time}${isoZone(zone)}`);
  return Number.isNaN(moment) ? text : new Date(moment).toISOString().slice(0, 19) + fraction;
}

/** The offset in the form `+02:00`, the only one that ECMAScript reads. */
function isoZone(zone: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}

function isSpatial(column: CollectionColumn): column is SpatialColumn {
  return column.type.kind === "geometry";
}

/**
 * A GeoJSON geometry in `crs` as EWKT; null for JSON null. Throws `BAD_USER_INPUT` , also for a geometry type that the
 * column does not take.
 */
export function geometryText(column: SpatialColumn, json: unknown, path: string, crs: Crs): string | null {
  if (json === null) return null;
  if (!isObject(json)) return badInput(`${path}: expected a GeoJSON geometry or null, got ${show(json)}`);
  const axes = crs === CRS84 ? undefined : { srid: crs.srid, flipped: crs.flipped };
  const geometry = plainGeometry(json, axes) ?? parseGeometry(json, path, axes);
  const [, south = 0, , north = 0] = geometry.bounds ?? [];
  if (crs.geographic && (south < -90 || north > 90)) badInput(`${path}: a latitude is not between -90 and 90`);
  const { geometryType } = column;
  const given = String(json["type"]);
  const taken = geometryType === undefined ? undefined : takenTypes(geometryType);
  if (taken && !taken.includes(given)) badInput(`${path}: expected a ${taken.join(" or ")}, got a ${given}`);
  return ewkt(geometry, column.type);
}

/** SQL of a value of the column. `text`: SQL of the result of `textOf` or `geometryText` in `crs`. */
export function columnSql(column: CollectionColumn, text: SQL, crs: Crs): SQL {
  const { type } = column;
  if (!isSpatial(column)) return sql`${text}::${typeName(type)}`;
  const moves = needsTransform({ srid: crs.srid, wkt: "", bounds: undefined }, type);
  const geometry = asColumnHasIt(type, column, geometryIn(text, type, moves ? sridOf(type) : 0));
  return isGeography(type) ? sql`${geometry}::${sql.identifier(baseOf(type).schema, "geography")}` : geometry;
}

/**
 * The system of a column's geometries in a body: for the feature's own geometry that of the request, for others that of
 * answers.
 */
export function crsOf(column: CollectionColumn, { geometry }: Collection, crs: Crs): Crs {
  return column.number === geometry?.number ? crs : CRS84;
}
