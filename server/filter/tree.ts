/** The syntax tree of the one filter language. Parsers make it, `toSql` (and, for events, a predicate) consume it. */
import type { Attribute } from "../types/columnType.ts";

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
  "isNull",
  "contains",
  "overlaps",
  "intersects",
  "bbox",
  "dwithin",
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Column extends Attribute {
  /** Whether the interface shows it as an `ID`: a text column then takes whole numbers too. */
  readonly id?: boolean;
}

/** A foreign key followed from one table to another, in either direction. */
export interface Relation {
  readonly name: string;
  readonly target: Shape;
  /** Pairs of columns, [here, there], that must be equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
}

/** What a filter over one table may name. */
export interface Shape {
  /** Schema and name of the relation, for `exists (select … from …)`. */
  readonly schema: string;
  readonly relation: string;
  /** By the name that the interface shows, or else the column's own; undefined when there is none. */
  column(name: string): Column | undefined;
  related(name: string): Relation | undefined;
}

/**
 * PostgreSQL's three-valued logic holds throughout: a comparison with NULL is unknown, and `not` leaves it unknown, so
 * that only `isNull` finds a NULL. `and` of nothing is true, `or` of nothing is false.
 *
 * `value` is JSON as the caller gave it, checked against operator and type. `in` and `nin` hold a list without null:
 * the parser turns a null in it into `isNull`, as it does for `eq` and `neq`.
 */
export type Filter =
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }
  | { readonly kind: "compare"; readonly column: Column; readonly operator: Operator; readonly value: unknown }
  | { readonly kind: "related"; readonly relation: Relation; readonly filter: Filter };
