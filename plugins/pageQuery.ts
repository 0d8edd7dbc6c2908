/** The arguments of a page, its cursors, and what of the list it is. */
import { createHash } from "node:crypto";
import { TYPES, type PgSelectQueryBuilderCallback } from "postgraphile/@dataplan/pg";
import type { SQL } from "postgraphile/pg-sql2";
import { beyond, placeToText, reversed, type KeysetTerm, type Place } from "../server/filter/keyset.ts";
import { parseFilter } from "../server/filter/parse.ts";
import { filterToSql } from "../server/filter/toSql.ts";
import type { Column } from "../server/filter/tree.ts";
import { badInput } from "../server/kernel/errors.ts";
import { checkLimit, type Limits } from "./limits.ts";
import { orderedValue, parseOrderBy, type Order } from "./orderBy.ts";
import type { TableShape } from "./shapes.ts";

export interface PageSource {
  readonly shape: TableShape;
  /** The columns of the primary key, which end every order. */
  readonly key: readonly Column[];
  readonly limits: Limits;
}

export interface PageArguments {
  readonly where?: unknown;
  readonly orderBy?: unknown;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
  readonly asOf?: unknown;
  /** Who asks: a cursor is good for the account that it was given to. */
  readonly account?: unknown;
}

/** One page. */
export interface PageQuery {
  readonly limit: number;
  /** Whether it is read from the end of the list. */
  readonly backwards: boolean;
  readonly isAfter: boolean;
  readonly isBefore: boolean;
  /** Conditions and order, for a select of one row more than the limit. */
  readonly apply: PgSelectQueryBuilderCallback;
  /** The place of a row of `alias`, as text. */
  placeOf(alias: SQL): SQL;
  /** The cursor of a place. */
  cursorOf(place: string): string;
}

/** Reads the arguments of a page. Throws `BAD_USER_INPUT`, also for a cursor that was not given for this list. */
export function readPage({ shape, key, limits }: PageSource, args: PageArguments): PageQuery {
  const { where, orderBy, first, last, after, before, asOf, account } = args;
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  if (isGiven(first) && isGiven(last)) badInput("first and last: give one of them");
  const limit = readLimit(isGiven(last) ? "last" : "first", last ?? first, limits);
  const orders = parseOrderBy(orderBy, shape);
  for (const { column, near } of orders)
    if (near) badInput(`orderBy.${column.name}: near cannot be paged; use get with limit`);
  const terms = termsOf(orders, key);
  const list = digest([
    [shape.schema, shape.relation],
    terms.map(({ path, direction, nulls }) => [path, direction, nulls]),
    where ?? null,
    asOf ?? null,
    account ?? null,
  ]);
  const readCursor = (name: string, cursor: string | null | undefined): Place | undefined =>
    isGiven(cursor) ? placeIn(cursor!, list, terms.length, name) : undefined;
  const [start, end] = [readCursor("after", after), readCursor("before", before)];
  const backwards = isGiven(last) || (!isGiven(first) && end !== undefined && start === undefined);
  const filter = parseFilter(where, shape);
  return {
    limit,
    backwards,
    isAfter: start !== undefined,
    isBefore: end !== undefined,
    apply(query) {
      if (filter) query.where(filterToSql(filter, query.alias));
      if (start) query.where(beyond(terms, start, query.alias));
      if (end) query.where(beyond(reversed(terms), end, query.alias));
      for (const { column, value, direction = "ASC", nulls } of backwards ? reversed(terms) : terms) {
        const by = value ? { fragment: value(query.alias), codec: TYPES.text } : { attribute: column.name };
        query.orderBy({ ...by, direction, ...(nulls && { nulls }) });
      }
      query.setOrderIsUnique();
    },
    placeOf: (alias) => placeToText(terms, alias),
    cursorOf: (place) => Buffer.from(JSON.stringify([list, check(list, place), place])).toString("base64url"),
  };
}

function readLimit(name: string, value: number | null | undefined, limits: Limits): number {
  if (value !== undefined && value !== null && value < 0) return badInput(`${name}: must not be negative`);
  if (value !== undefined && value !== null && value > limits.max)
    return badInput(`${name}: must not be over ${limits.max}`);
  return checkLimit(value, limits);
}

interface Term extends KeysetTerm {
  /** The names of relations and of the column, in JSON. */
  readonly path: string;
}

function toTerm(order: Order): Term {
  const { column, relations, direction, nulls } = order;
  const path = JSON.stringify([...relations.map(({ name }) => name), column.name]);
  const term = { path, column, direction, ...(nulls && { nulls }) };
  if (relations.length === 0) return term;
  return { ...term, column: { ...column, notNull: false }, value: (alias) => orderedValue(order, alias) };
}

/** As asked, and then by the key; a column that comes again changes nothing. */
function termsOf(orders: readonly Order[], key: readonly Column[]): Term[] {
  const direction = orders[0]?.direction ?? "ASC";
  const terms = new Map<string, Term>();
  for (const term of [...orders, ...key.map((column) => ({ column, relations: [], direction }))].map(toTerm))
    if (!terms.has(term.path)) terms.set(term.path, term);
  return [...terms.values()];
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}

/** A place has no secret in it, and gives nobody a right; the check tells a cursor that was cut or changed from a whole one. */
function check(list: string, place: string): string {
  return digest([list, place]);
}

function placeIn(cursor: string, list: string, terms: number, name: string): Place {
  const parts = partsOf(cursor);
  if (!parts || check(parts[0], parts[2]) !== parts[1]) return badInput(`${name}: is no cursor`);
  if (parts[0] !== list)
    return badInput(`${name}: is a cursor of another list: table, where, orderBy, asOf and account must be the same`);
  const values: unknown = JSON.parse(parts[2]);
  const isValue = (value: unknown): boolean => value === null || (typeof value === "string" && !value.includes("\0"));
  if (!Array.isArray(values) || values.length !== terms || !values.every(isValue))
    return badInput(`${name}: is no cursor`);
  return { values: values as (string | null)[] };
}

function partsOf(cursor: string): readonly [string, string, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const isWhole = Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === "string");
    return isWhole && Buffer.from(JSON.stringify(parts)).toString("base64url") === cursor
      ? (parts as unknown as [string, string, string])
      : undefined;
  } catch {
    return undefined;
  }
}
