/** The filter language as JSON, the `where` argument, → syntax tree. */
import { badInput } from "../ground/errors.ts";
import { isObject, type JsonObject } from "../types/json.ts";
import { readCql2 } from "./cql2/parse.ts";
import { and, Budget, isNull, isTrue, not, or, TRUE, type Limits } from "./nodes.ts";
import { at, quote, show } from "../types/show.ts";
import { OPERATORS, type Column, type Filter, type Operator, type Shape } from "./tree.ts";
import type { TypeKind } from "../types/columnType.ts";

export interface ParseOptions extends Limits {
  /** The name of the filter in messages. Default `where`. */
  readonly name?: string;
}

const OPERATOR_NAMES: ReadonlyMap<string, Operator> = new Map(OPERATORS.map((name) => [name.toLowerCase(), name]));

/** Their values are objects with names of their own, so `{column: {…}}` may be the value itself. */
const OBJECT_VALUES: ReadonlySet<TypeKind> = new Set<TypeKind>([
  "interval",
  "geometry",
  "geometric",
  "range",
  "composite",
]);

function operatorNamed(key: string): Operator | undefined {
  return OPERATOR_NAMES.get(key.toLowerCase());
}

/** A place in the filter: the path, for messages, and the nesting depth of a filter that begins there. */
interface Place {
  readonly path: string;
  readonly depth: number;
}

class Parser {
  readonly #budget: Budget;

  constructor(limits: Limits) {
    this.#budget = new Budget(limits);
  }

  /** A filter object: all members must hold. */
  filter(json: unknown, shape: Shape, place: Place): Filter {
    const { path, depth } = place;
    this.#budget.descend(depth, path);
    if (!isObject(json)) return badInput(`${path}: expected a filter object, got ${show(json)}`);
    return and(Object.entries(json).map(([key, value]) => this.#member(key, value, shape, place)));
  }

  #member(key: string, value: unknown, shape: Shape, parent: Place): Filter {
    const path = at(parent.path, key);
    const depth = parent.depth + 1;
    this.#budget.count(path);
    const column = shape.column(key) ?? shape.computed?.(key);
    if (column) return this.#column(column, value, path);
    switch (key.toLowerCase()) {
      case "and":
        return and(this.#list(value, shape, { path, depth }));
      case "or":
        return or(this.#list(value, shape, { path, depth }));
      case "not":
        return not(this.filter(value, shape, { path, depth }));
      case "cql2":
        return readCql2(value, shape, path);
    }
    const relation = shape.related(key);
    if (!relation) return badInput(`${parent.path}: there is no column, relation or logical operator ${quote(key)}`);
    if (value === null) return not({ kind: "related", relation, filter: TRUE });
    return { kind: "related", relation, filter: this.filter(value, relation.target, { path, depth }) };
  }

  #list(value: unknown, shape: Shape, place: Place): Filter[] {
    const { path, depth } = place;
    if (isObject(value)) return [this.filter(value, shape, place)];
    if (!Array.isArray(value)) return badInput(`${path}: expected a list of filter objects, got ${show(value)}`);
    return value.map((filter: unknown, index) => {
      this.#budget.count(path);
      return this.filter(filter, shape, { path: at(path, index), depth });
    });
  }

  #column(column: Column, condition: unknown, path: string): Filter {
    if (!isObject(condition) || this.#isValue(column, condition)) return this.#compare(column, "eq", condition, path);
    const entries = Object.entries(condition);
    if (entries.length === 0) badInput(`${path}: expected a value or at least one operator, got {}`);
    return and(
      entries.map(([key, value]) => {
        this.#budget.count(path);
        return this.#compare(column, operatorNamed(key) ?? unknownOperator(column, key, path), value, path);
      }),
    );
  }

  #isValue(column: Column, condition: JsonObject): boolean {
    const keys = Object.keys(condition);
    return OBJECT_VALUES.has(column.type.kind) && keys.length > 0 && !keys.some(operatorNamed);
  }

  #compare(column: Column, operator: Operator, value: unknown, path: string): Filter {
    if (operator === "in" || operator === "nin") return this.#budget.oneOf(column, operator, value, path);
    if (value === null && (operator === "eq" || operator === "neq")) return isNull(column, operator === "eq");
    return this.#budget.compare(column, operator, value, path);
  }
}

function unknownOperator(column: Column, key: string, path: string): never {
  const hint =
    column.type.kind === "json"
      ? `; to compare with a JSON object write {"eq": {…}}, to look for a part of one {"contains": {…}}`
      : `; there are ${OPERATORS.join(", ")}`;
  return badInput(`${path}: there is no operator ${quote(key)}${hint}`);
}

function fromText(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return badInput(`${name}: expected a filter object or its JSON text, got ${show(text)}`);
  }
}

/**
 * Parses a `where` argument. `json`: a filter object, or its JSON text.
 *
 * - `{col: value}` and `{col: {op: value, …}}`; all members of an object must hold. Operators, `and`, `or` and `not` in
 *   any letter case; a column's own name comes before those, and those before a relation's.
 * - `{col: null}` and `{eq: null}` are IS NULL, `{neq: null}` is IS NOT NULL. Other operators take no null.
 * - In the list of `in` and `nin` null stands for IS NULL: `{in: [1, null]}` is 1 or NULL, `{nin: [1, null]}` neither.
 *   An empty `in` matches nothing, an empty `nin` everything.
 * - For a json column an object is always operators: `{eq: {…}}` or `{contains: {…}}`, never a value by itself. For
 *   other types whose values are objects (range, geometry, interval, …) one without an operator is the value.
 * - `and` and `or` take a list or a single filter. `and: []` matches everything, `or: []` nothing.
 * - `{cql2: …}`: a filter in CQL2 JSON (OGC 21-065r2), by its own limits.
 * - `{relation: filter}`: some related row matches; `{relation: {}}`: there is one; `{relation: null}`: there is none.
 *
 * Returns undefined for null, undefined, `{}`, and a filter that means the same (`{and: []}`, `{or: [{}]}`), so that a
 * caller that needs a filter can tell. Throws `BAD_USER_INPUT` naming column, operator and what was expected;
 * `LIMIT_EXCEEDED` beyond `maxDepth`, 1,000 parts, or 10,000 elements in a list.
 */
export function parseFilter(json: unknown, shape: Shape, options: ParseOptions = {}): Filter | undefined {
  const { name = "where" } = options;
  const source = typeof json === "string" ? fromText(json, name) : json;
  if (source === null || source === undefined) return undefined;
  const filter = new Parser(options).filter(source, shape, { path: name, depth: 1 });
  return isTrue(filter) ? undefined : filter;
}
