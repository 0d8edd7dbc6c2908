/** The arguments of a page, its cursors, and the part of the list that it shows. */
import { createHash } from "node:crypto";
import { TYPES, type PgSelectQueryBuilderCallback } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import {
  beyond,
  conditionsFrom,
  ordered,
  placeTexts,
  placeToText,
  reversed,
  valueOf,
  type KeysetTerm,
  type Place,
} from "../../server/filter/keyset.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Column } from "../../server/filter/tree.ts";
import { badInput } from "../../server/ground/errors.ts";
import { checkPageKey } from "../tables/hiddenColumns.ts";
import { isFirst, parseDistinctOn } from "./chosenRows.ts";
import { checkLimit, type Limits } from "../tables/limits.ts";
import { toBase64url } from "./nodeId.ts";
import { orderedValue, parseOrderBy, type Order } from "../tables/orderBy.ts";
import type { TableShape } from "../tables/shapes.ts";
import type { SourceAt } from "../tables/versions.ts";

export interface PageSource {
  readonly shape: TableShape;
  readonly table: SQL;
  /** The columns of the primary key, which end every order. */
  readonly key: readonly Column[];
  readonly limits: Limits;
  /** For a table with history. */
  readonly sourceAt: SourceAt | undefined;
}

export interface PageArguments {
  readonly where?: unknown;
  readonly orderBy?: unknown;
  readonly distinctOn?: unknown;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
  readonly asOf?: unknown;
  /** The account of the caller. A cursor is valid only for the account that received it. */
  readonly account?: unknown;
  /** Columns that the caller may not select. */
  readonly hidden?: unknown;
}

/** One page. */
export interface PageQuery {
  readonly limit: number;
  /** Whether the page is read from the end of the list. */
  readonly backwards: boolean;
  readonly isAfter: boolean;
  readonly isBefore: boolean;
  /** The source in place of the table; undefined for the table. */
  readonly from: SQL | undefined;
  /** The conditions on rows of the whole list. */
  filter(alias: SQL): readonly SQL[];
  /** The conditions on rows of the page, or of the rows after it. */
  conditions(alias: SQL): readonly SQL[];
  /** The terms of `order by` in which the page is read. */
  orders(alias: SQL): readonly SQL[];
  /** The same as a callback, for a select of one row more than the limit. */
  readonly apply: PgSelectQueryBuilderCallback;
  /** The expressions of the texts that make up the place of a row of `alias`. */
  textsOf(alias: SQL): readonly SQL[];
  /** The cursor of the place with these texts. */
  cursorOf(texts: readonly SQL[]): SQL;
}

/** Reads the arguments of a page. Throws `BAD_USER_INPUT` as the field's plan does. */
export type ReadPage = (args: PageArguments) => PageQuery;

/** Reads the arguments of a page. Throws `BAD_USER_INPUT`, also for a cursor of another list. */
export function readPage({ shape, table, key, limits, sourceAt }: PageSource, args: PageArguments): PageQuery {
  const { where, orderBy, distinctOn, first, last, after, before, asOf, account, hidden } = args;
  checkPageKey({ schema: shape.schema, name: shape.relation }, key, hidden);
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  if (isGiven(first) && isGiven(last)) badInput("first and last: give only one of them");
  const limit = readLimit(isGiven(last) ? "last" : "first", last ?? first, limits);
  const asked = parseOrderBy(orderBy, shape);
  const distinct = parseDistinctOn(distinctOn, asked, shape);
  const orders = distinct?.orders ?? asked;
  for (const { column, near } of orders)
    if (near) badInput(`orderBy.${column.name}: pages cannot be ordered by near; use get with limit`);
  const terms = termsOf(orders, key);
  const list = digest([
    [shape.schema, shape.relation],
    terms.map(({ path, direction, nulls }) => [path, direction, nulls]),
    where ?? null,
    asOf ?? null,
    account ?? null,
    ...(distinct ? [distinct.columns.map(({ name }) => name)] : []),
  ]);
  const readCursor = (name: string, cursor: string | null | undefined): Place | undefined =>
    isGiven(cursor) ? placeIn(cursor!, list, terms.length, name) : undefined;
  const [start, end] = [readCursor("after", after), readCursor("before", before)];
  const backwards = isGiven(last) || (!isGiven(first) && end !== undefined && start === undefined);
  const filter = parseFilter(where, shape);
  const from = sourceAt?.(asOf);
  const matching = (alias: SQL): SQL[] => (filter ? [filterToSql(filter, alias)] : []);
  const chosen = { from: from ?? table, key, partition: [] };
  const filtered = (alias: SQL): SQL[] => (distinct ? [isFirst(distinct, chosen, matching, alias)] : matching(alias));
  const read = backwards ? reversed(terms) : terms;
  const [near, far] = backwards ? [end, start] : [start, end];
  // no index has the order of an expression that is computed for each row
  const isIndexed = !distinct && !from && !orders[0]?.relations.length;
  const conditions = (alias: SQL): SQL[] => {
    const others = [...filtered(alias), ...(far ? [beyond(reversed(read), far, alias)] : [])];
    if (!near) return others;
    if (!isIndexed) return [...others, beyond(read, near, alias)];
    return conditionsFrom(read, near, alias, {
      from: table,
      key,
      limit: sql.literal(limit + 1),
      conditions: others,
    });
  };
  return {
    limit,
    backwards,
    isAfter: start !== undefined,
    isBefore: end !== undefined,
    from,
    filter: filtered,
    conditions,
    orders: (alias) => read.map((term) => ordered(valueOf(term, alias), term)),
    apply(query) {
      for (const condition of conditions(query.alias)) query.where(condition);
      for (const { column, value, direction = "ASC", nulls } of read) {
        const by = value ? { fragment: value(query.alias), codec: TYPES.text } : { attribute: column.name };
        query.orderBy({ ...by, direction, ...(nulls && { nulls }) });
      }
      query.setOrderIsUnique();
    },
    textsOf: (alias) => placeTexts(terms, alias),
    cursorOf: (texts) => writeCursor(list, placeToText(texts)),
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
  if (relations.length === 0 && !column.computed) return term;
  return { ...term, column: { ...column, notNull: false }, value: (alias) => orderedValue(order, alias) };
}

/** The requested order, followed by the key. A repeated column has no effect. */
function termsOf(orders: readonly Order[], key: readonly Column[]): Term[] {
  const direction = orders[0]?.direction ?? "ASC";
  const terms = new Map<string, Term>();
  for (const term of [...orders, ...key.map((column) => ({ column, relations: [], direction }))].map(toTerm))
    if (!terms.has(term.path)) terms.set(term.path, term);
  return [...terms.values()];
}

/** The number of characters of a digest. */
const DIGEST_LENGTH = 16;

function digest(value: unknown): string {
  return sha256(JSON.stringify(value));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

/** The cursor of a place: the list, a check and the place, in base64url. */
function writeCursor(list: string, place: SQL): SQL {
  const named = sql`${sql.value(list)}::pg_catalog.text`;
  const at = sql.identifier(Symbol("at"));
  const text = sql`${named} || ${at}.place`;
  const check = sql`pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${text}, 'UTF8')), 'hex'), ${sql.literal(DIGEST_LENGTH)})`;
  return sql`(select ${toBase64url(sql`${named} || ${check} || ${at}.place`)} from (select ${place} as place offset 0) as ${at})`;
}

/**
 * The place of a cursor. It holds no secret and gives no right. The check only detects cursors that were cut or
 * changed.
 */
function placeIn(cursor: string, list: string, terms: number, name: string): Place {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [ofList, check] = [text.slice(0, DIGEST_LENGTH), text.slice(DIGEST_LENGTH, 2 * DIGEST_LENGTH)];
  const place = text.slice(2 * DIGEST_LENGTH);
  const isWhole = Buffer.from(text).toString("base64url") === cursor && sha256(ofList + place) === check;
  if (!isWhole) return badInput(`${name}: is not a cursor`);
  if (ofList !== list)
    return badInput(
      `${name}: is a cursor of another list: table, where, orderBy, distinctOn, asOf and account must be the same`,
    );
  const values = valuesIn(place);
  if (values?.length !== terms) return badInput(`${name}: is not a cursor`);
  return { values };
}

/** Reads the values of a place from a text of `placeToText`; undefined for any other. */
function valuesIn(place: string): (string | null)[] | undefined {
  const isValue = (value: unknown): boolean => value === null || (typeof value === "string" && !value.includes("\0"));
  try {
    const values: unknown = JSON.parse(place);
    return Array.isArray(values) && values.every(isValue) ? (values as (string | null)[]) : undefined;
  } catch {
    return undefined;
  }
}
