/** The arguments of functions and operators, as SQL of the types that they take. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { baseOf, isGeography, type ColumnType } from "../../types/columnType.ts";
import { straightGeometry } from "../../types/straightGeometry.ts";
import { rowOf } from "../../types/table.ts";
import { geometryIn, judged, sridOf } from "../geometrySql.ts";
import { operatorIn, postgis, TEXT as TEXT_NAME } from "../sqlTypes.ts";
import type { Operand } from "../tree.ts";
import { toSqlValue } from "../values.ts";

/** An operand and its SQL. */
export interface Term {
  readonly operand: Operand;
  readonly type: ColumnType;
  readonly sql: SQL;
}

/** The kinds of CQL2. */
export type ValueKind = "boolean" | "number" | "text" | "date" | "timestamp" | "geometry" | "array" | "other";

const builtIn = (kind: ColumnType["kind"], name: string): ColumnType => ({ kind, schema: "pg_catalog", name });

/** Types of the literals of a filter. */
export const BOOLEAN = builtIn("boolean", "bool");
export const NUMBER = builtIn("bigint", "numeric");
export const FLOAT = builtIn("float", "float8");
export const TEXT = builtIn("text", "text");
export const DATE = builtIn("datetime", "date");
export const TIMESTAMP = builtIn("datetime", "timestamptz");
const LOCAL_TIMESTAMP = builtIn("datetime", "timestamp");

export function kindOf(type: ColumnType): ValueKind {
  switch (type.kind) {
    case "integer":
    case "bigint":
    case "float":
      return "number";
    case "datetime": {
      const { moment } = rowOf(type);
      return moment === "date" || moment === "timestamp" ? moment : "other";
    }
    case "boolean":
    case "text":
    case "geometry":
    case "array":
      return type.kind;
    default:
      return "other";
  }
}

const catalog = (name: string): SQL => sql.identifier("pg_catalog", name);
export const cast = (value: SQL, name: string): SQL => sql`${value}::${catalog(name)}`;
/** A text of our own, as a parameter like all text: a mapfile holds no quotes. */
export const word = (text: string): SQL => sql`${sql.value(text)}::${TEXT_NAME}`;
export const apply = (name: string, ...operands: readonly SQL[]): SQL =>
  sql`${catalog(name)}(${sql.join(operands, ", ")})`;

/** The schema of equality and order for two values of one type. Other values are cast to a type of `pg_catalog`. */
export function comparisonSql(symbol: "=" | "<>" | "<" | "<=" | ">" | ">=", left: SQL, right: SQL): SQL {
  return sql`${left} ${operatorIn("pg_catalog", symbol)} ${right}`;
}

// Numbers -----------------------------------------------------------------------------------------

export const isFloat = ({ kind }: ColumnType): boolean => kind === "float";

/** As numeric, so that 1/2 is a half; floats as float8. */
export function asNumber({ type, sql: value }: Term): SQL {
  if (isFloat(type)) return baseOf(type).name === "float8" ? value : cast(value, "float8");
  return baseOf(type).name === "numeric" ? value : cast(value, "numeric");
}

/** Cast through numeric where necessary, because money has no other cast. */
export function asFloat(term: Term): SQL {
  const { name } = baseOf(term.type);
  if (name === "float8") return term.sql;
  return cast(name === "money" ? asNumeric(term) : term.sql, "float8");
}
export const asNumeric = ({ type, sql: value }: Term): SQL =>
  baseOf(type).name === "numeric" ? value : cast(value, "numeric");

// Text --------------------------------------------------------------------------------------------

/**
 * In the database's own collation unless it is a plain value. Two columns may have different collations, and then
 * PostgreSQL could choose none.
 */
export function asText({ operand, sql: value }: Term): SQL {
  const text = sql`${value}::${TEXT_NAME}`;
  return operand.kind === "value" ? text : sql`(${text} collate ${catalog("default")})`;
}

/** Without regard to case: ICU's lower case, in which ß is ss and a final sigma a sigma. */
export function folded(term: Term): SQL {
  const lower = apply("lower", sql`${asText(term)} collate ${catalog("und-x-icu")}`);
  return sql`(${apply("replace", apply("translate", lower, word("ς"), word("σ")), word("ß"), word("ss"))} collate ${catalog("default")})`;
}

// Instants ----------------------------------------------------------------------------------------

/** The type in which several instants are compared: their own where they share it, else an instant in UTC. */
export function commonInstant(terms: readonly Term[]): "date" | "timestamp" | "timestamptz" {
  const names = new Set(terms.filter(({ operand }) => operand.kind !== "value").map(({ type }) => baseOf(type).name));
  const isDay = terms.map(({ type }) => kindOf(type) === "date");
  if (isDay.every(Boolean)) return "date";
  return !isDay.some(Boolean) && names.size === 1 && names.has("timestamp") ? "timestamp" : "timestamptz";
}

/** `isEnd`: a day among instants lasts until its last microsecond. */
export function asInstant(
  { operand, type, sql: value }: Term,
  wanted: ReturnType<typeof commonInstant>,
  isEnd = false,
): SQL {
  const { name } = baseOf(type);
  if (name === wanted || wanted === "date") return value;
  if (wanted === "timestamp")
    return operand.kind === "value" ? toSqlValue(operand.value, LOCAL_TIMESTAMP, "filter") : value;
  const utc = (local: SQL): SQL => apply("timezone", word("UTC"), cast(local, "timestamp"));
  if (name === "timestamp") return utc(value);
  if (!isEnd) return utc(value);
  const nextDay = sql`(${value} ${operatorIn("pg_catalog", "+")} 1)`;
  return sql`(${utc(nextDay)} ${operatorIn("pg_catalog", "-")} ${cast(sql.value("1 microsecond"), "interval")})`;
}

// Geometries --------------------------------------------------------------------------------------

/** A geometry, and no geography, as it is stored. */
export function storedGeometry({ type, sql: value }: Term): SQL {
  return isGeography(type) ? geometryIn(value, type, 0) : value;
}

/** The same as GEOS takes it. */
export function asGeometry(term: Term): SQL {
  const geometry = storedGeometry(term);
  if (term.operand.kind !== "column") return geometry;
  return straightGeometry(geometry, baseOf(term.type).schema, { forGeos: true });
}

/** Geometries in one reference system: that of the first operand that is not a value and has one. */
export function inOneSystem(first: Term, second: Term, toGeometry = asGeometry): readonly [SQL, SQL] {
  const rows = [first, second].filter(({ operand }) => operand.kind !== "value");
  const srid = [...rows, first, second].map(({ type }) => sridOf(type)).find((each) => each !== 0) ?? 0;
  const unknown = rows.find(({ type }) => sridOf(type) === 0);
  const convert = (term: Term): SQL => {
    const geometry = toGeometry(term);
    const own = sridOf(term.type);
    // a value takes the system of each row
    if (unknown && term.operand.kind === "value")
      return postgis(term.type, "st_setsrid", geometry, postgis(unknown.type, "st_srid", unknown.sql));
    return own === srid || own === 0 ? geometry : postgis(term.type, "st_transform", geometry, sql.literal(srid));
  };
  return [convert(first), convert(second)];
}

/** On the sphere, for measures in metres; where no reference system is known, longitude and latitude. */
export function asGeography(term: Term): SQL {
  const { type } = term;
  if (isGeography(type)) return term.operand.kind === "column" ? judged(term.sql, type) : term.sql;
  const value = asGeometry(term);
  const srid = sridOf(type);
  const degrees = srid === 4326 || srid === 0 ? value : postgis(type, "st_transform", value, sql.literal(4326));
  return sql`${degrees}::${sql.identifier(baseOf(type).schema, "geography")}`;
}
