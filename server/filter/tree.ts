/** The syntax tree of the one filter language. Parsers, of its own forms and of CQL2, make it, `toSql` (and, for events, a predicate) consume it. */
import type { SQL } from "postgraphile/pg-sql2";
import type { Attribute, ColumnType } from "../types/columnType.ts";

/** Comparison operators, as callers write them (contract of the `where` argument). */
export const OPERATORS = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "like",
  "ilike",
  "startsWith",
  "endsWith",
  "regex",
  "iregex",
  "search",
  "similar",
  "path",
  "hasKey",
  "isNull",
  "contains",
  "containedBy",
  "overlaps",
  "intersects",
  "bbox",
  "dwithin",
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Column extends Attribute {
  /** Whether the interface shows it as an `ID`: a text column then takes whole numbers too. */
  readonly id?: boolean;
  /** Whether it is known to hold no null. */
  readonly notNull?: boolean;
  /** The text search configuration that `search` reads its values in. Default `simple`. */
  readonly search?: string;
  /** Schema of the extension pg_trgm, which `similar` needs; absent where it is not installed. */
  readonly trigrams?: string;
  /** The expression of a function of a row of the alias. Default: the column is stored. */
  readonly computed?: (alias: SQL) => SQL;
}

/** A foreign key followed from one table to another, in either direction. */
export interface Relation {
  readonly name: string;
  readonly target: Shape;
  /** Pairs of columns, [here, there], that must be equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
  /** Whether a row here has at most one related row there. */
  readonly toOne?: boolean;
}

/** The names that a filter over one table may use. */
export interface Shape {
  /** Schema and name of the relation, for `exists (select … from …)`. */
  readonly schema: string;
  readonly relation: string;
  /** By the name that the interface shows, or else the column's own; undefined when there is none. */
  column(name: string): Column | undefined;
  related(name: string): Relation | undefined;
  /** Functions of a row, by the name that the interface shows. Filters and orders take them. */
  computed?(name: string): Column | undefined;
  /** Schemas of the extensions whose functions a filter may need, without those that are not installed. */
  readonly extensions?: { readonly postgis?: string; readonly unaccent?: string };
}

/** An argument of a function or an operator: a value of the row, a literal, or another function's result. */
export type Operand =
  | { readonly kind: "column"; readonly column: Column; readonly type: ColumnType }
  | { readonly kind: "value"; readonly value: unknown; readonly type: ColumnType }
  | Call;

/** A function or an operator, by its name in the table of functions (`cql2/calls.ts`). `type`: of its result. */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly operands: readonly Operand[];
  readonly type: ColumnType;
  /** The extension of the function. */
  readonly schema?: string;
}

/**
 * PostgreSQL's three-valued logic holds throughout: a comparison with NULL is unknown, and `not` leaves it unknown, so that
 * only `isNull` finds a NULL. `and` of nothing is true, `or` of nothing is false.
 *
 * `value` is JSON from the caller, checked against operator and type. `in` and `nin` hold a list without null: the parser
 * turns a null in it into `isNull`, as it does for `eq` and `neq`.
 *
 * Any condition other than a comparison of a column with a value is a `call` with a boolean result.
 */
export interface Compare {
  readonly kind: "compare";
  readonly column: Column;
  readonly operator: Operator;
  readonly value: unknown;
}

export type Filter =
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }
  | Compare
  | { readonly kind: "related"; readonly relation: Relation; readonly filter: Filter }
  | Call;
