/** Names of types, operators and PostGIS functions in SQL, always with their schema: no `search_path` decides anything. */
import { sql, type SQL } from "pg-sql2";
import { baseOf, type ColumnType } from "../types/columnType.ts";

/** The name to cast to. A domain is cast to its base; an array is its element's own name with `[]`. */
export function typeName(type: ColumnType): SQL {
  if (type.kind === "array" && type.element) {
    return sql`${sql.identifier(type.element.schema, type.element.name)}[]`;
  }
  const base = baseOf(type);
  return sql.identifier(base.schema, base.name);
}

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
  "~~": sql`~~`,
  "~~*": sql`~~*`,
  "^@": sql`^@`,
  "~": sql`~`,
  "~*": sql`~*`,
  "<->": sql`<->`,
  "%": sql`%`,
  "||": sql`||`,
  "#-": sql`#-`,
} as const;
export type OperatorSymbol = keyof typeof SYMBOLS;

/** `operator(schema.symbol)`. */
export function operatorIn(schema: string, symbol: OperatorSymbol): SQL {
  return sql`operator(${sql.identifier(schema)}.${SYMBOLS[symbol]})`;
}

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
