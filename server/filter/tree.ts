/** The syntax tree of the one filter language. Parsers make it, `toSql` (and, for events, a predicate) consume it. */

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

/** What a value of a type looks like outside, which decides the operators it takes and how JSON becomes SQL. */
export type TypeKind =
  | "boolean"
  | "integer" // int2, int4
  | "bigint" // int8, numeric, money: lossless text outside
  | "float"
  | "text" // text, varchar, uuid, inet, enums and everything that is text in and text out
  | "bytes" // bytea
  | "datetime" // date, time, timestamp and their zoned kinds
  | "interval"
  | "json"
  | "geometry" // geometry and geography of PostGIS
  | "geometric" // point, line, lseg, box, path, polygon, circle of PostgreSQL
  | "range"
  | "multirange"
  | "array"
  | "composite";

/** A PostgreSQL type as the filter language sees it. Domains have been resolved to their base kind, but keep their name. */
export interface ColumnType {
  readonly kind: TypeKind;
  /** Schema and name in PostgreSQL, for casts, e.g. `pg_catalog`, `int4`. Not used for arrays, which go by `element`. */
  readonly schema: string;
  readonly name: string;
  /**
   * domain: the type at the bottom of it. Values are cast to this one, so that a filter never trips over the domain's
   * check, and a write meets it when the value is assigned.
   */
  readonly base?: { readonly schema: string; readonly name: string };
  /**
   * Schema of the type's operators where that is not `pg_catalog`: the schema of a base type (`typtype` b) that an
   * extension made, e.g. citext, ltree, hstore. Enums, ranges, arrays and composites need none, nor does geometry.
   */
  readonly operators?: string;
  /** enum: its labels in order, where they are known. */
  readonly labels?: readonly string[];
  /** array: its element; range, multirange: the bound. */
  readonly element?: ColumnType;
  /** geometry: the column's SRID, 0 when it has none; the schema of PostGIS is that of `base`, else `schema`. */
  readonly srid?: number;
  /** numeric: how many decimals its values have, where the column or domain says so. */
  readonly scale?: number;
  /** composite: its attributes in order. */
  readonly attributes?: readonly Column[];
}

export interface Column {
  /** The name in the database. */
  readonly name: string;
  readonly type: ColumnType;
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
