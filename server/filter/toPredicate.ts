/** The syntax tree of a filter → a predicate over the texts of columns, with PostgreSQL's semantics, in process. */
import { badInput, GatewayError } from "../ground/errors.ts";
import { likeMatcher } from "./likePattern.ts";
import type { Scalar, ScalarType } from "../types/scalars.ts";
import { rowOf, scalarType } from "../types/table.ts";
import { at, show } from "../types/show.ts";
import type { Column, Filter, Operator } from "./tree.ts";

/** Column → its text as PostgreSQL prints it (dates in ISO, times with zone in UTC, bytes in hex), or null. */
export type Texts = Readonly<Record<string, string | null>>;

export interface Predicate {
  /** Equal for equal filters. */
  readonly key: string;
  /** Names in the database of the columns that it reads. */
  readonly columns: readonly string[];
  /** True where PostgreSQL would keep the row. A comparison with null is unknown, so the row is not kept. */
  test(record: Texts): boolean;
}

/** SQL's three-valued logic: null is unknown. */
type Test = (record: Texts) => boolean | null;

/** Characters of a value that is no text, number or bytes. */
const LONGEST_VALUE = 1_000;

const ORDERINGS: Readonly<Partial<Record<Operator, (order: number) => boolean>>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function all(tests: readonly Test[]): Test {
  return (record) => {
    let result: boolean | null = true;
    for (const test of tests) {
      const part = test(record);
      if (part === false) return false;
      if (part === null) result = null;
    }
    return result;
  };
}

function invert(test: Test): Test {
  return (record) => {
    const result = test(record);
    return result === null ? null : !result;
  };
}

function some(tests: readonly Test[]): Test {
  return invert(all(tests.map(invert)));
}

/** Compares the value of the column, unless it is null. */
function onValue(name: string, compare: (text: string) => boolean): Test {
  return (record) => {
    const text = record[name];
    return text === null || text === undefined ? null : compare(text);
  };
}

function typeOf(column: Column): ScalarType {
  const { kind, name } = column.type;
  return (
    scalarType(column.type) ??
    badInput(
      `where.${column.name}: a subscription is filtered by columns of scalar types (numbers, text, booleans, dates), ` +
        `not by one of type ${kind === "array" ? `${column.type.element?.name ?? name}[]` : name}`,
    )
  );
}

/** A value from the caller, as a value of the column's type. Its shape was checked when it was parsed. */
function constant(column: Column, scalar: ScalarType, json: unknown, path: string): Scalar {
  const { type } = column;
  const asKey = column.id && Number.isSafeInteger(json) ? String(json) : json;
  const text = rowOf(type).toText(asKey, type, path);
  if (text.length > LONGEST_VALUE && !["text", "bytes", "bigint"].includes(type.kind))
    throw new GatewayError("LIMIT_EXCEEDED", `${path}: a value of more than ${LONGEST_VALUE} characters`);
  const value = scalar.isValue?.(text) === false ? undefined : scalar.read(text);
  const form = type.kind === "datetime" ? " in ISO 8601" : "";
  return value ?? badInput(`${path}: expected a value of type ${type.name}${form}, got ${show(json)}`);
}

/** A value that PostgreSQL printed. */
function read(scalar: ScalarType, text: string, column: Column): Scalar {
  const value = scalar.read(text);
  if (value === undefined) throw new Error(`a value of ${column.name} (${column.type.name}) cannot be compared`);
  return value;
}

function textMatcher(
  operator: "like" | "ilike" | "startsWith" | "endsWith",
  operand: string,
  path: string,
): (text: string) => boolean {
  if (operator === "startsWith") return (text) => text.startsWith(operand);
  if (operator === "endsWith") return (text) => text.endsWith(operand);
  return likeMatcher(operand, operator === "ilike", path);
}

function comparison(column: Column, operator: Operator, json: unknown): Test {
  const { name } = column;
  const path = at(`where.${name}`, operator);
  const scalar = typeOf(column);
  switch (operator) {
    case "isNull":
      return (record) => ((record[name] ?? null) === null) === json;
    case "eq":
    case "neq": {
      const value = constant(column, scalar, json, path);
      const equal = onValue(name, (text) => scalar.compare(read(scalar, text, column) as never, value as never) === 0);
      return operator === "eq" ? equal : invert(equal);
    }
    case "in":
    case "nin": {
      const list = (json as readonly unknown[]).map((each) => constant(column, scalar, each, path));
      if (list.length === 0) return () => operator === "nin";
      const values = new Set(list);
      const isIn = onValue(name, (text) => values.has(read(scalar, text, column)));
      return operator === "in" ? isIn : invert(isIn);
    }
    case "like":
    case "ilike":
    case "startsWith":
    case "endsWith": {
      const matches = textMatcher(operator, String(json), path);
      const { patternText } = scalar;
      return onValue(name, patternText ? (text) => matches(patternText(text)) : matches);
    }
    default: {
      const holds = ORDERINGS[operator];
      if (!holds) return badInput(`${path}: subscriptions do not support this operator`);
      if (scalar.isOrdered === false)
        return badInput(`${path}: subscriptions cannot order values of ${column.type.name}`);
      const value = constant(column, scalar, json, path);
      return onValue(name, (text) => {
        const order = scalar.compare(read(scalar, text, column) as never, value as never);
        if (Number.isNaN(order)) throw new Error(`the order of a value of ${name} is not known`);
        return holds(order);
      });
    }
  }
}

function compile(filter: Filter, columns: Set<string>): Test {
  switch (filter.kind) {
    case "and":
      return all(filter.filters.map((part) => compile(part, columns)));
    case "or":
      return some(filter.filters.map((part) => compile(part, columns)));
    case "not":
      return invert(compile(filter.filter, columns));
    case "related":
      return badInput(
        `where.${filter.relation.name}: a subscription is filtered by columns of its own table, not by related rows`,
      );
    case "call":
      return badInput(
        `where: a subscription is filtered by comparisons of a column with a value, not by ${show(filter.name)}`,
      );
    case "compare":
      if (filter.column.computed)
        return badInput(`where.${filter.column.name}: a subscription is filtered by columns, not by what is computed`);
      columns.add(filter.column.name);
      return comparison(filter.column, filter.operator, filter.value);
  }
}

/** Equal for filters that are written in the same way. */
function keyOf(filter: Filter): unknown {
  switch (filter.kind) {
    case "and":
    case "or":
      return [filter.kind, ...filter.filters.map(keyOf)];
    case "not":
      return ["not", keyOf(filter.filter)];
    case "related":
      return ["related", filter.relation.name, keyOf(filter.filter)];
    case "call":
      return filter; // it has no predicate
    case "compare":
      return [filter.column.name, filter.operator, filter.value];
  }
}

/**
 * A filter as a predicate over records of its table. Text is compared by code points, as in collation "C", and ILIKE
 * takes letters one by one; a `timestamptz` that is written without a zone is in UTC.
 *
 * Throws `BAD_USER_INPUT`, naming the column, for columns that are not scalars (geometry, range, JSON, array, composite
 * and the like), for relations, and for values of another type than the column's; `LIMIT_EXCEEDED` for patterns beyond
 * 1,000 characters.
 */
export function filterToPredicate(filter: Filter): Predicate {
  const columns = new Set<string>();
  const test = compile(filter, columns);
  return { key: JSON.stringify(keyOf(filter)), columns: [...columns], test: (record) => test(record) === true };
}
