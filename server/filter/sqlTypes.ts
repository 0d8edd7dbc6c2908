/** Names of types, operators and PostGIS functions in SQL, always with their schema: no `search_path` decides anything. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { baseOf, type ColumnType } from "../types/columnType.ts";

/** The name to cast to. A domain is cast to its base; an array is its element's own name with `[]`. */
export function typeName(type: ColumnType): SQL {
  const known = typeNames.get(type);
  if (known) return known;
  const { schema, name } = type.kind === "array" && type.element ? type.element : baseOf(type);
  const own = sql.identifier(schema, name);
  const made = type.kind === "array" && type.element ? sql`${own}[]` : own;
  typeNames.set(type, made);
  return made;
}

/** Filters use the same few of these again and again. */
const typeNames = new WeakMap<ColumnType, SQL>();

/** `text` as one parameter of that type. */
export function parameter(text: string, type: ColumnType): SQL {
  return sql`${sql.value(text)}::${typeName(type)}`;
}

const SYMBOLS = {
  "=": sql`=`,
  "<>": sql`<>`,
  "+": sql`+`,
  "-": sql`-`,
  "*": sql`*`,
  "/": sql`/`,
  "<": sql`<`,
  "<=": sql`<=`,
  ">": sql`>`,
  ">=": sql`>=`,
  "~=": sql`~=`,
  "&&": sql`&&`,
  "@>": sql`@>`,
  "<@": sql`<@`,
  "~~": sql`~~`,
  "~~*": sql`~~*`,
  "^@": sql`^@`,
  "~": sql`~`,
  "~*": sql`~*`,
  "<->": sql`<->`,
  "%": sql`%`,
  "||": sql`||`,
  "#-": sql`#-`,
  "?": sql`?`,
} as const;
export type OperatorSymbol = keyof typeof SYMBOLS;

/** `operator(schema.symbol)`. */
export function operatorIn(schema: string, symbol: OperatorSymbol): SQL {
  const inSchema = operators.get(schema) ?? new Map<OperatorSymbol, SQL>();
  operators.set(schema, inSchema);
  const made = inSchema.get(symbol) ?? sql`operator(${sql.identifier(schema)}.${SYMBOLS[symbol]})`;
  inSchema.set(symbol, made);
  return made;
}

/** By the schemas of a database's types, which are few. */
const operators = new Map<string, Map<OperatorSymbol, SQL>>();

/** The schema of a type's operators. */
export function operatorSchema(type: ColumnType): string {
  return type.kind === "geometry" ? baseOf(type).schema : (type.operators ?? "pg_catalog");
}

export const TEXT: SQL = sql.identifier("pg_catalog", "text");
export const JSONB: SQL = sql.identifier("pg_catalog", "jsonb");

/** Calls a function of PostGIS, which lives in the schema of the geometry `type`. */
export function postgis(type: ColumnType, name: string, ...operands: readonly SQL[]): SQL {
  return sql`${sql.identifier(baseOf(type).schema, name)}(${sql.join(operands, ", ")})`;
}
