/** `distinctOn`: of the rows that are alike in some columns only the first, in the order asked for. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { ordered } from "../server/filter/keyset.ts";
import { badInput, GatewayError } from "../server/kernel/errors.ts";
import type { Column, Shape } from "../server/filter/tree.ts";
import { checkOrdered, orderToSql, type Order } from "./orderBy.ts";

/** Columns that one list may be distinct on. */
const MAX_COLUMNS = 16;

/** What the rows of a list are chosen by. */
export interface Distinct {
  readonly columns: readonly Column[];
  /** The order of the list: first by the columns, in any order of them. */
  readonly orders: readonly Order[];
}

/** Where the rows are chosen from. */
export interface DistinctSource {
  readonly from: SQL;
  /** The columns of the primary key. */
  readonly key: readonly Column[];
  /** Columns that keep rows apart, since a list has only those that are alike in them. */
  readonly partition: readonly string[];
}

/** Reads `distinctOn`, names of columns, beside the order that was asked for. Throws `BAD_USER_INPUT`. */
export function parseDistinctOn(names: unknown, orders: readonly Order[], shape: Shape): Distinct | undefined {
  if (names === undefined || names === null) return undefined;
  const columns = [...new Set((names as readonly string[]).map((name) => toColumn(name, shape)))];
  if (columns.length === 0) return undefined;
  if (columns.length > MAX_COLUMNS)
    throw new GatewayError("LIMIT_EXCEEDED", `distinctOn: at most ${MAX_COLUMNS} columns`);
  const left = new Set(columns);
  for (const { column, relations, near } of orders) {
    if (left.size === 0) break;
    const isOne = relations.length === 0 && !near && columns.includes(column);
    if (!isOne) badInput("distinctOn: orderBy must begin with the same columns");
    left.delete(column);
  }
  const direction = orders[0]?.direction ?? "ASC";
  return { columns, orders: [...orders, ...[...left].map((column) => ({ column, relations: [], direction }))] };
}

function toColumn(name: string, shape: Shape): Column {
  const column = shape.column(name) ?? badInput(`distinctOn: there is no column ${JSON.stringify(name)}`);
  checkOrdered(column, "distinctOn");
  return column;
}

/** The condition that a row of `alias` is the first of those that are alike. `conditions`: on the rows that it is chosen from. */
export function isFirst(
  { columns, orders }: Distinct,
  { from, key, partition }: DistinctSource,
  conditions: (rows: SQL) => readonly (SQL | undefined)[],
  alias: SQL,
): SQL {
  const rows = sql.identifier(Symbol("rows"));
  const of = (row: SQL, name: string): SQL => sql`${row}.${sql.identifier(name)}`;
  const keyOf = (row: SQL): SQL =>
    sql.join(
      key.map(({ name }) => of(row, name)),
      ", ",
    );
  const apart = partition.map((name) => of(rows, name));
  const alike = [...apart, ...columns.map(({ name }) => of(rows, name))];
  const { direction } = orders[0]!;
  const ties = key.map(({ name }) => ordered(of(rows, name), { direction }));
  const order = [...apart, ...orders.map((each) => orderToSql(each, rows)), ...ties];
  const where = conditions(rows).filter((condition) => condition !== undefined);
  return sql`(${keyOf(alias)}) in (select distinct on (${sql.join(alike, ", ")}) ${keyOf(rows)} from ${from} as ${rows} where ${
    where.length === 0
      ? sql.true
      : sql.join(
          where.map((condition) => sql`(${condition})`),
          " and ",
        )
  } order by ${sql.join(order, ", ")})`;
}
