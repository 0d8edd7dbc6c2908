/** The results that each type of column has in an aggregate, and their SQL. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { typeName } from "../../server/filter/sqlTypes.ts";
import { baseOf, hasParts, type ColumnType } from "../../server/types/columnType.ts";
import { toLonLat } from "../../server/types/sqlJson.ts";
import { rowOf } from "../../server/types/table.ts";

/** Functions over the rows of a group. `count` counts rows, the others compute from a column. */
export const OPERATIONS = [
  "countDistinct",
  "sum",
  "avg",
  "min",
  "max",
  "stddev",
  "variance",
  "boolAnd",
  "boolOr",
  "extent",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The suffixes of the types of results, and the operations that may share one. */
export const FAMILIES: Readonly<Record<string, readonly Operation[]>> = {
  Counts: ["countDistinct"],
  Numbers: ["sum", "avg", "stddev", "variance"],
  Extremes: ["min", "max"],
  Conditions: ["boolAnd", "boolOr"],
  Extents: ["extent"],
};

/** All possible suffixes: first those of families, then those of single operations that do not fit their family. */
export const RESULT_SUFFIXES: readonly string[] = [
  ...Object.keys(FAMILIES),
  ...OPERATIONS.map((operation) => suffixOf(operation)),
];

/** The suffix of an operation: `sum` → `Sum`. */
export function suffixOf(operation: Operation): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1);
}

/** A value of a group. */
export interface Result {
  /** The name of its column in the statement. */
  readonly name: string;
  readonly type: ColumnType;
  readonly sql: SQL;
}

const own = (kind: ColumnType["kind"], name: string): ColumnType => ({ kind, schema: "pg_catalog", name });
export const COUNT = own("bigint", "int8");
const NUMERIC = own("bigint", "numeric");
const FLOAT8 = own("float", "float8");
const TEXT = own("text", "text");

const INTEGERS = ["int2", "int4", "int8"];
const FLOATS = ["float4", "float8"];
const NUMBERS = [...INTEGERS, "numeric", ...FLOATS];
/** The types that have `min` and `max` in PostgreSQL 14, besides enums. */
const EXTREMES = [
  ...[...NUMBERS, "money", "oid", "text", "varchar", "bpchar", "name", "inet", "interval"],
  ...["date", "time", "timetz", "timestamp", "timestamptz"],
];

/** Whether rows may be grouped by columns of the type, and distinct values counted. */
export function isGroupable(type: ColumnType): boolean {
  return !hasParts(type) && rowOf(type).compared === "ordered";
}

function nameOf(type: ColumnType): string | undefined {
  const { schema, name } = baseOf(type);
  return schema === "pg_catalog" ? name : undefined;
}

/** The type of a result; undefined where columns of the type have none. */
export function resultType(operation: Operation, type: ColumnType): ColumnType | undefined {
  const name = nameOf(type) ?? "";
  switch (operation) {
    case "countDistinct":
      return isGroupable(type) ? COUNT : undefined;
    case "sum":
      if (name === "int2" || name === "int4") return COUNT;
      if (name === "int8" || name === "numeric") return NUMERIC;
      return [...FLOATS, "interval", "money"].includes(name) ? own(type.kind, name) : undefined;
    case "avg":
      if (name === "interval") return own("interval", name);
      return averageType(name);
    case "stddev":
    case "variance":
      return averageType(name);
    case "min":
    case "max":
      return extremeType(type, name);
    case "boolAnd":
    case "boolOr":
      return name === "bool" ? own("boolean", name) : undefined;
    case "extent":
      return type.kind === "geometry" ? own("json", "json") : undefined;
  }
}

function averageType(name: string): ColumnType | undefined {
  if (FLOATS.includes(name)) return FLOAT8;
  return NUMBERS.includes(name) ? NUMERIC : undefined;
}

function extremeType(type: ColumnType, name: string): ColumnType | undefined {
  if (type.labels && !type.operators) return { ...type, ...baseOf(type) };
  if (baseOf(type).name === "citext" && type.operators !== undefined) return { ...type, ...baseOf(type) };
  if (!EXTREMES.includes(name)) return undefined;
  return name === "varchar" || name === "name" ? TEXT : own(type.kind, name);
}

const FUNCTIONS: Readonly<Record<Exclude<Operation, "countDistinct" | "extent">, string>> = {
  sum: "sum",
  avg: "avg",
  min: "min",
  max: "max",
  stddev: "stddev_samp",
  variance: "var_samp",
  boolAnd: "bool_and",
  boolOr: "bool_or",
};

/** The result over `column`, an SQL expression of `type`. The type must have that result. */
export function resultToSql(operation: Operation, column: SQL, type: ColumnType): SQL {
  if (operation === "countDistinct") return sql`pg_catalog.count(distinct ${column})`;
  if (operation === "extent") return extent(column, type);
  const schema = operation === "min" || operation === "max" ? (type.operators ?? "pg_catalog") : "pg_catalog";
  const value = type.base ? sql`${column}::${typeName(type)}` : column;
  return sql`${sql.identifier(schema, FUNCTIONS[operation])}(${value})`;
}

/** `[minx, miny, maxx, maxy]` in WGS 84, as JSON; null where no row has a geometry that is not empty. */
function extent(column: SQL, type: ColumnType): SQL {
  const { schema } = baseOf(type);
  const call = (name: string, operand: SQL): SQL => sql`${sql.identifier(schema, name)}(${operand})`;
  const box = call("st_extent", sql`${toLonLat(column, type)}::${sql.identifier(schema, "geometry")}`);
  const bounds = ["st_xmin", "st_ymin", "st_xmax", "st_ymax"].map((name) => call(name, box));
  return sql`(case when ${box} is not null then pg_catalog.json_build_array(${sql.join(bounds, ", ")}) end)`;
}

/**
 * A count as a number that GraphQL's Int can hold. A text that is not a number makes PostgreSQL refuse the cast, with
 * the text in its message.
 */
export function countToInt(count: SQL): SQL {
  return sql`(case when ${count} > 2147483647 then ('a count of ' || ${count} || ' is over 2147483647')::pg_catalog.int4 else ${count}::pg_catalog.int4 end)`;
}
