/** Makes the nodes of the syntax tree for every parser, within the limits that hold for all of them. */
import { sql } from "postgraphile/pg-sql2";
import { badInput, GatewayError } from "../ground/errors.ts";
import { compareToSql } from "./operators.ts";
import { at, show } from "../types/show.ts";
import type { Column, Compare, Filter, Operand, Operator } from "./tree.ts";

export interface Limits {
  /** How deep `and`, `or`, `not`, parentheses and relations may nest. Default 12. */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_DEPTH = 12;
/** Comparisons, logical operators and relations in one filter. */
const MAX_NODES = 1_000;
/** Elements in the list of `in` and `nin`. */
const MAX_LIST = 10_000;

export const TRUE: Filter = { kind: "and", filters: [] };
const FALSE: Filter = { kind: "or", filters: [] };

export const isTrue = (filter: Filter): boolean => filter.kind === "and" && filter.filters.length === 0;

export function and(filters: readonly Filter[]): Filter {
  const needed = filters.filter((filter) => !isTrue(filter));
  return needed.length === 1 ? needed[0]! : { kind: "and", filters: needed };
}

export function or(filters: readonly Filter[]): Filter {
  if (filters.some(isTrue)) return TRUE;
  return filters.length === 1 ? filters[0]! : { kind: "or", filters };
}

export function not(filter: Filter): Filter {
  return isTrue(filter) ? FALSE : { kind: "not", filter };
}

export function isNull(column: Column, value: boolean): Filter {
  return { kind: "compare", column, operator: "isNull", value };
}

/** The columns of its own relation that a filter names. */
export function columnsIn(filter: Filter | Operand): Column[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.flatMap(columnsIn);
    case "not":
      return columnsIn(filter.filter);
    case "call":
      return filter.operands.flatMap(columnsIn);
    case "compare":
    case "column":
      return [filter.column];
    case "related":
    case "value":
      return [];
  }
}

/** The remaining budget of one filter. Throws `LIMIT_EXCEEDED` when it is used up. */
export class Budget {
  readonly #maxDepth: number;
  #nodes = 0;

  constructor({ maxDepth = DEFAULT_MAX_DEPTH }: Limits) {
    this.#maxDepth = maxDepth;
  }

  /** `depth`: of the node that is parsed next; the whole filter has 1. */
  descend(depth: number, path: string): void {
    if (depth > this.#maxDepth)
      throw new GatewayError("LIMIT_EXCEEDED", `${path}: nested deeper than ${this.#maxDepth}`);
  }

  /** Counts a node before it is made. */
  count(path: string): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES)
      throw new GatewayError("LIMIT_EXCEEDED", `${path}: a filter of more than ${MAX_NODES} parts`);
  }

  /** Tries a comparison, so that a wrong value is reported now. */
  compare(column: Column, operator: Operator, value: unknown, path: string): Filter {
    const comparison: Compare = { kind: "compare", column, operator, value };
    compareToSql(comparison, sql.null, path);
    return comparison;
  }

  /** Null in the list means IS NULL, because SQL's `not in (…, null)` is never true. */
  oneOf(column: Column, operator: "in" | "nin", value: unknown, path: string): Filter {
    if (!Array.isArray(value)) return badInput(`${at(path, operator)}: expected a list, got ${show(value)}`);
    if (value.length > MAX_LIST) {
      throw new GatewayError("LIMIT_EXCEEDED", `${at(path, operator)}: a list of more than ${MAX_LIST} elements`);
    }
    const values = value.filter((each: unknown) => each !== null);
    const isIn = operator === "in";
    const nulls = values.length < value.length ? [isNull(column, isIn)] : [];
    const parts = values.length > 0 || nulls.length === 0 ? this.#membership(column, operator, values, path) : [];
    return isIn ? or([...parts, ...nulls]) : and([...parts, ...nulls]);
  }

  #membership(column: Column, operator: "in" | "nin", values: readonly unknown[], path: string): Filter[] {
    if (column.type.kind !== "array") return [this.compare(column, operator, values, path)];
    return values.map((each) => {
      this.count(path);
      return this.compare(column, operator === "in" ? "eq" : "neq", each, path);
    });
  }
}
