/** JSON values → SQL of a column's type: for the values of filters, and for the data of inserts and updates. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput, GatewayError } from "../ground/errors.ts";
import { parseGeometry, type Geometry } from "../types/geometry.ts";
import { columnValue, ewkt, needsTransform } from "./geometrySql.ts";
import { elements, isObject, members, storableText } from "../types/json.ts";
import { arrayLiteral, compositeLiteral, rangeLiteral, type ArrayItem } from "../types/literals.ts";
import { delimiterOf, rowOf } from "../types/table.ts";
import { at, quote, show } from "../types/show.ts";
import { parameter, typeName } from "./sqlTypes.ts";
import { baseOf, type ColumnType, type TypeKind } from "../types/columnType.ts";

/** PostgreSQL's text of a value; or an expression, where a geometry must be transformed on its way; or NULL. */
export type Converted = string | SQL | null;
type Convert = (json: unknown, type: ColumnType, path: string) => Converted;

/** An array of composites with geometries to transform has a parameter for each attribute. */
const MOST_EXPRESSIONS = 1_000;

/** PostgreSQL's MAXDIM. */
const MOST_DIMENSIONS = 6;

const isText = (value: Converted): value is string | null => value === null || typeof value === "string";

/** A value that must be text because nothing in it can hold a geometry. */
function textOf(json: unknown, type: ColumnType, path: string): string | null {
  const value = convertValue(json, type, path);
  return isText(value) ? value : badInput(`${path}: a geometry is not allowed here`);
}

/** The result of `convertValue`, as SQL of the type. */
export function convertedToSql(value: Converted, type: ColumnType): SQL {
  if (value === null) return sql`null::${typeName(type)}`;
  return typeof value === "string" ? parameter(value, type) : value;
}

/**
 * The same for a value whose type PostgreSQL knows from the column. To name the type would require USAGE on its schema,
 * which an account that may write the column need not have.
 */
export function assignedToSql(value: Converted, type: ColumnType): SQL {
  const { schema } = type.kind === "array" && type.element ? type.element : baseOf(type);
  if (schema === "pg_catalog" || (value !== null && typeof value !== "string")) return convertedToSql(value, type);
  return value === null ? sql`null` : sql.value(value);
}

// Ranges ------------------------------------------------------------------------------------------

const RANGE_MEMBERS = ["lower", "upper", "lowerInclusive", "upperInclusive", "empty"] as const;
const RANGE_EXPECTED = `a range: text or {"lower", "upper", "lowerInclusive", "upperInclusive"}`;

function flag(json: unknown, otherwise: boolean, path: string): boolean {
  if (json === undefined || json === null) return otherwise;
  return typeof json === "boolean" ? json : badInput(`${path}: expected true or false, got ${show(json)}`);
}

function rangeText(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  if (!isObject(json)) return badInput(`${path}: expected ${RANGE_EXPECTED}, got ${show(json)}`);
  const range = members(json, RANGE_MEMBERS, path, RANGE_EXPECTED);
  const lowerInclusive = flag(range.lowerInclusive, true, at(path, "lowerInclusive"));
  const upperInclusive = flag(range.upperInclusive, false, at(path, "upperInclusive"));
  if (flag(range.empty, false, at(path, "empty"))) return "empty";
  const bound = (side: "lower" | "upper"): string | null =>
    type.element === undefined ? null : textOf(range[side] ?? null, type.element, at(path, side));
  return rangeLiteral({ lower: bound("lower"), upper: bound("upper"), lowerInclusive, upperInclusive });
}

function multirangeText(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  const ranges = elements(json, path, "a list of ranges").map(([range, rangePath]) =>
    rangeText(range, type, rangePath),
  );
  return `{${ranges.join(",")}}`;
}

// Arrays ------------------------------------------------------------------------------------------

/** Whether a list inside a list is another dimension, and not a value of the element type. */
function nests(list: readonly unknown[], element: ColumnType): boolean {
  return element.kind !== "multirange" && !rowOf(element).isList?.(list);
}

function arrayItems(json: unknown, element: ColumnType, path: string, dimension = 1): ArrayItem[] {
  if (dimension > MOST_DIMENSIONS) badInput(`${path}: an array has at most ${MOST_DIMENSIONS} dimensions`);
  return elements(json, path, "a list").map(([item, itemPath]) =>
    Array.isArray(item) && nests(item, element)
      ? arrayItems(item, element, itemPath, dimension + 1)
      : textOf(item, element, itemPath),
  );
}

/** All in one parameter, and in the given order, whatever reference systems the geometries have. */
function geometryArray(json: unknown, element: ColumnType, path: string): Converted {
  const geometries = elements(json, path, "a list of geometries").map(([item, itemPath]) =>
    item === null ? null : parseGeometry(item, itemPath),
  );
  const texts = geometries.map((geometry) => geometry && ewkt(geometry, element));
  if (!geometries.some((geometry) => geometry && needsTransform(geometry, element))) {
    return arrayLiteral(texts, delimiterOf(element));
  }
  const value = columnValue(sql`e.ewkt`, element, true);
  const list = sql`pg_catalog.unnest(${sql.value(arrayLiteral(texts))}::pg_catalog.text[])`;
  return sql`array(select ${value} from ${list} with ordinality as e(ewkt, i) order by e.i)`;
}

/** Composites: as text where possible, else one expression each. */
function compositeArray(json: unknown, type: ColumnType, element: ColumnType, path: string): Converted {
  const list = elements(json, path, "a list");
  if (list.some(([item]) => Array.isArray(item))) return arrayLiteral(arrayItems(json, element, path));
  const items = list.map(([item, itemPath]) => convertValue(item, element, itemPath));
  if (items.every(isText)) return arrayLiteral(items);
  if (items.length > MOST_EXPRESSIONS) {
    throw new GatewayError("LIMIT_EXCEEDED", `${path}: at most ${MOST_EXPRESSIONS} values with geometries in a list`);
  }
  return sql`array[${sql.join(
    items.map((item) => convertedToSql(item, element)),
    ", ",
  )}]::${typeName(type)}`;
}

function array(json: unknown, type: ColumnType, path: string): Converted {
  const { element } = type;
  if (!element) return badInput(`${path}: lists are not supported for ${type.name}`);
  if (element.kind === "geometry") return geometryArray(json, element, path);
  if (typeof json === "string") return storableText(json, path);
  if (!Array.isArray(json)) return badInput(`${path}: expected a list, got ${show(json)}`);
  if (element.kind === "composite") return compositeArray(json, type, element, path);
  return arrayLiteral(arrayItems(json, element, path), delimiterOf(element));
}

// Composites --------------------------------------------------------------------------------------

function composite(json: unknown, type: ColumnType, path: string): Converted {
  if (typeof json === "string") return storableText(json, path);
  const attributes = type.attributes ?? [];
  const expected = `an object of ${type.name} (${attributes.map(({ name }) => name).join(", ")}) or its text`;
  if (!isObject(json)) return badInput(`${path}: expected ${expected}, got ${show(json)}`);
  const given = new Map(Object.entries(json));
  const values = attributes.map(({ name, type: attributeType }) =>
    convertValue(given.get(name) ?? null, attributeType, at(path, name)),
  );
  for (const { name } of attributes) given.delete(name);
  for (const name of given.keys()) badInput(`${path}: expected ${expected}; it has no attribute ${quote(name)}`);
  if (values.every(isText)) return compositeLiteral(values);
  const parts = values.map((value, index) => convertedToSql(value, attributes[index]!.type));
  return sql`row(${sql.join(parts, ", ")})::${typeName(type)}`;
}

// All kinds ---------------------------------------------------------------------------------------

/** A geometry as a value of the column, transformed where it comes in another reference system. */
export function geometryToSql(geometry: Geometry, type: ColumnType): SQL {
  return columnValue(sql.value(ewkt(geometry, type)), type, needsTransform(geometry, type));
}

function geometry(json: unknown, type: ColumnType, path: string): Converted {
  const parsed = parseGeometry(json, path);
  return needsTransform(parsed, type) ? geometryToSql(parsed, type) : ewkt(parsed, type);
}

const PARTS: Readonly<Partial<Record<TypeKind, Convert>>> = {
  geometry,
  range: rangeText,
  multirange: multirangeText,
  array,
  composite,
};

/** The same text as in `toSqlValue`, where it may be one of several values. Throws `BAD_USER_INPUT`. */
export function convertValue(json: unknown, type: ColumnType, path: string): Converted {
  return json === null ? null : (PARTS[type.kind] ?? rowOf(type).toText)(json, type, path);
}

/**
 * A JSON value as SQL of the column's type: nearly always one text parameter with a cast, so that PostgreSQL judges what
 * this does not. JSON null is NULL.
 *
 * | kind | takes |
 * |---|---|
 * | boolean | true, false, and text as PostgreSQL reads it (`"t"`, `"off"`) |
 * | integer, bigint, float | numbers and strings of numbers; a number that JSON cannot hold exactly must be a string; float and numeric also `"NaN"`, `"Infinity"` |
 * | text | strings only |
 * | bytes | base64 |
 * | datetime | strings that PostgreSQL reads, and those of `toReadableDate`; for a timestamp also seconds from 1970 |
 * | interval | such a string, or an object of years to seconds |
 * | json | any JSON: a string is a JSON string, never JSON text |
 * | geometry | GeoJSON in WGS 84, WKT (in the column's SRID), EWKT; transformed to the column's SRID |
 * | geometric | the objects of the GraphQL types, or PostgreSQL's text |
 * | range | `{lower, upper, lowerInclusive = true, upperInclusive = false}`, a null bound is none; `{empty: true}`; text |
 * | multirange | a list of ranges, or text |
 * | array | a list, nested for more dimensions, or text (lists only for geometry); for JSON elements a list in the list is a JSON array |
 * | composite | an object by attribute, a missing one is NULL; or text |
 *
 * `path`: where the value stands, for messages (`data.name`). Throws `BAD_USER_INPUT` for a value of the wrong shape.
 */
export function toSqlValue(json: unknown, type: ColumnType, path: string): SQL {
  return convertedToSql(convertValue(json, type, path), type);
}

/**
 * The same as PostgreSQL's text of the value, for a parameter whose type PostgreSQL knows; null for JSON null. A geometry
 * keeps its own reference system. Throws `BAD_USER_INPUT`.
 */
export function toTextValue(json: unknown, type: ColumnType, path: string): string | null {
  return textOf(json, type, path);
}
