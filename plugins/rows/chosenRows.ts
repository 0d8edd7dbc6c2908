/**
 * Lists of rows that a subquery selects by their keys: the first row of each group of equal rows (`distinctOn`), and
 * the nearest rows.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { ordered } from "../../server/filter/keyset.ts";
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import type { Column, Shape } from "../../server/filter/tree.ts";
import { checkOrdered, orderToSql, type Order } from "../tables/orderBy.ts";

/** The largest number of columns in `distinctOn`. */
const MAX_COLUMNS = 16;

/** The criterion for the rows of a list. */
export interface Distinct {
  readonly columns: readonly Column[];
  /** The order of the list. It begins with the columns, in any sequence. */
  readonly orders: readonly Order[];
}

/** The source of the rows. */
interface Source {
  readonly from: SQL;
  /** The columns of the primary key. */
  readonly key: readonly Column[];
}

interface Partition {
  /** Columns that partition the rows: all rows of a list are equal in them. */
  readonly partition: readonly string[];
}

/** Reads `distinctOn`, a list of column names, together with the requested order. Throws `BAD_USER_INPUT`. */
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

type Conditions = (rows: SQL) => readonly (SQL | undefined)[];

const columnOf = (row: SQL, name: string): SQL => sql`${row}.${sql.identifier(name)}`;
const list = (terms: readonly SQL[]): SQL => sql.join([...terms], ", ");

/**
 * The condition that the key of a row of `alias` is in the result of a query that `toQuery` makes. The conditions of
 * the choice apply to the row too: a parent by INHERITS may have rows with the same key.
 */
function isChosen({ from, key }: Source, conditions: Conditions, alias: SQL, toQuery: ToQuery): SQL {
  const rows = sql.identifier(Symbol("rows"));
  const keyOf = (row: SQL): SQL => list(key.map(({ name }) => columnOf(row, name)));
  const matches = (row: SQL): SQL => {
    const where = conditions(row).filter((condition) => condition !== undefined);
    return sql.join([sql.true, ...where.map((condition) => sql`(${condition})`)], " and ");
  };
  const keys = toQuery(sql`${keyOf(rows)} from ${from} as ${rows} where ${matches(rows)}`, rows);
  return sql`((${keyOf(alias)}) in (select ${keys}) and ${matches(alias)})`;
}

/** Makes a query. `keys`: selects the keys of all candidate rows, of the alias `rows`. */
type ToQuery = (keys: SQL, rows: SQL) => SQL;

/** The condition that a row of `alias` is the first of its equal rows. `conditions`: on the candidate rows. */
export function isFirst(
  { columns, orders }: Distinct,
  { partition, ...source }: Source & Partition,
  conditions: Conditions,
  alias: SQL,
): SQL {
  const { direction } = orders[0]!;
  return isChosen(source, conditions, alias, (keys, rows) => {
    const apart = partition.map((name) => columnOf(rows, name));
    const alike = [...apart, ...columns.map(({ name }) => columnOf(rows, name))];
    const ties = source.key.map(({ name }) => ordered(columnOf(rows, name), { direction }));
    const order = [...apart, ...orders.map((each) => orderToSql(each, rows)), ...ties];
    return sql`distinct on (${list(alike)}) ${keys} order by ${list(order)}`;
  });
}

/** The first rows in an order. */
interface Nearest {
  readonly order: Order;
  readonly count: number;
}

/**
 * The condition that a row of `alias` is among the nearest `count`, or as near as the last of them. Before PostgreSQL 17,
 * the index of a geometry gives no order that continues with other columns, as the order of a list continues with its key.
 */
export function isNear({ order, count }: Nearest, source: Source, conditions: Conditions, alias: SQL): SQL {
  return isChosen(
    source,
    conditions,
    alias,
    (keys, rows) => sql`${keys} order by ${orderToSql(order, rows)} fetch first ${sql.literal(count)} rows with ties`,
  );
}
