/** Filters of MapLibre, as expressions and in their older form, → conditions of `set_style`. */
import type { JsonObject } from "../../../server/types/json.ts";
import type { Collection } from "../../collections/collections.ts";
import { columnNamed, Inexpressible } from "./where.ts";

const COMPARISONS: Readonly<Record<string, string>> = { "==": "eq", "!=": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" }; // oxfmt-ignore
const SWAPPED: Readonly<Record<string, string>> = { gt: "lt", gte: "lte", lt: "gt", lte: "gte", eq: "eq", neq: "neq" };
const MAX_DEPTH = 10;

type Columns = Pick<Collection, "columns">;

/** The condition; undefined for a filter that every feature meets. Throws `Inexpressible`. */
export function filterOf(given: unknown, columns: Columns, depth = 0): JsonObject | undefined {
  if (given === true) return undefined;
  if (!Array.isArray(given) || depth > MAX_DEPTH) throw new Inexpressible(show(given));
  const [operator, ...rest] = given as [unknown, ...unknown[]];
  const inner = (each: unknown): JsonObject => {
    const filter = filterOf(each, columns, depth + 1);
    if (!filter) throw new Inexpressible(show(given));
    return filter;
  };
  switch (operator) {
    case "all":
      return rest.length === 0 ? undefined : { and: rest.flatMap((each) => filterOf(each, columns, depth + 1) ?? []) };
    case "any":
      return { or: rest.map(inner) };
    case "none":
      return { not: { or: rest.map(inner) } };
    case "!":
      return { not: inner(rest[0]) };
    case "has":
    case "!has":
      return { [columnIn(rest[0], columns)]: { isNull: operator === "!has" } };
    case "in":
    case "!in": {
      const [name, list, ...more] = rest;
      const literal = Array.isArray(list) && list[0] === "literal" ? (list[1] as unknown[]) : [list, ...more];
      const members = literal.map((value) => scalar(value, given));
      return { [columnIn(name, columns)]: { [operator === "in" ? "in" : "nin"]: members } };
    }
    case "match": {
      // as a condition: the values for which it holds
      const [input, values, yes, no] = rest;
      if (rest.length !== 4 || yes !== true || no !== false) throw new Inexpressible(show(given));
      return filterOf(["in", input, ["literal", Array.isArray(values) ? values : [values]]], columns, depth + 1);
    }
    default: {
      const name = typeof operator === "string" ? COMPARISONS[operator] : undefined;
      if (name === undefined || rest.length !== 2) throw new Inexpressible(show(given));
      const [left, right] = rest;
      const isSwapped = !isColumn(left) && isColumn(right) && Array.isArray(right);
      const column = columnIn(isSwapped ? right : left, columns);
      const value = scalar(isSwapped ? left : right, given);
      return { [column]: value === null ? { isNull: name === "eq" } : { [isSwapped ? SWAPPED[name]! : name]: value } };
    }
  }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 200);

const isColumn = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value[0] !== "literal");

function scalar(value: unknown, within: unknown): string | number | boolean | null {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as string;
  throw new Inexpressible(show(within));
}

/**
 * The column of `["get", name]`, which may be inside a conversion, or of the name alone in the older form. Throws
 * `Inexpressible`.
 */
export function columnIn(given: unknown, columns: Columns): string {
  const isGet = Array.isArray(given) && given[0] === "get" && given.length === 2;
  if (Array.isArray(given) && /^(to-(number|string|boolean|color)|number|string|boolean)$/.test(String(given[0])))
    return columnIn(given[1], columns);
  const name: unknown = isGet ? given[1] : given;
  if (typeof name !== "string") throw new Inexpressible(show(given));
  const column = columnNamed(columns, name);
  if (!column) throw new Inexpressible(`there is no column ${show(name)}`);
  return column.name;
}
