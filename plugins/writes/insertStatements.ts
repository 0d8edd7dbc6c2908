import { sql, type SQL } from "postgraphile/pg-sql2";
import { parameter } from "../../server/filter/sqlTypes.ts";
import type { Column } from "../../server/filter/tree.ts";
import { assignedToSql } from "../../server/filter/values.ts";
import { baseOf, type ColumnType } from "../../server/types/columnType.ts";
import { arrayLiteral } from "../../server/types/literals.ts";
import { delimiterOf } from "../../server/types/table.ts";
import { primaryKeyOf, type TableResource } from "../tables/resources.ts";
import type { Row } from "./rowData.ts";
import type { TableShape } from "../tables/shapes.ts";
import { TARGET, type Place } from "./returning.ts";

/** The most values of a statement. PostgreSQL accepts 65,535 parameters, and a value may need several. */
const MAX_VALUES = 15_000;

/** The columns that at least one of the rows names. */
export function columnsOf(rows: readonly Row[]): Column[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))];
}

export function columnList(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql.identifier(column.name)),
    ", ",
  );
}

/** A statement without `returning`. */
interface Insertion {
  readonly statement: SQL;
  /** Set where the rows are not returned in the given order. */
  readonly place?: Place | undefined;
}

interface InsertOptions {
  /** The clause after the values. Default: none. */
  readonly conflict?: SQL;
  /** Whether the caller sorts the returned rows by `place`. Default: false. */
  readonly places?: boolean;
}

/**
 * The statements that insert rows in their order into the table as `TARGET`; a missing column takes its default. Shards
 * of Citus return rows in any order, so the rows are sorted by their key, or inserted one by one.
 */
export function insertStatements(
  resource: TableResource,
  shape: TableShape,
  rows: readonly Row[],
  { conflict = sql.blank, places = false }: InsertOptions = {},
): Insertion[] {
  if (rows.length > 1 && resource.codec.extensions?.portolanSharded) {
    const place = places ? placeByKey(resource, shape, rows) : undefined;
    const parts = place ? [rows] : rows.map((row) => [row]);
    return parts.flatMap((part) =>
      statementsOf(resource, shape, part, conflict).map((statement) => ({ statement, place })),
    );
  }
  return statementsOf(resource, shape, rows, conflict).map((statement) => ({ statement }));
}

/**
 * The place of each written row among the given ones. Undefined where a key is not given, or `listsOf` cannot handle
 * it.
 */
function placeByKey(resource: TableResource, shape: TableShape, rows: readonly Row[]): Place | undefined {
  const key = (primaryKeyOf(resource) ?? []).map((name) => shape.column(name));
  const columns = key.flatMap((column) => column ?? []);
  if (columns.length === 0 || columns.length < key.length) return undefined;
  const keys = rows.map((row) => new Map([...row].filter(([column]) => columns.includes(column))));
  const lists = listsOf(columns, keys);
  if (!lists) return undefined;
  const names = columns.map((_, index) => sql.identifier(`k${index}`));
  const list = sql.join(names, ", ");
  const given = sql`(select ${list}, pg_catalog.min(n) as n ${fromLists(lists, names)} group by ${list})`;
  return {
    order: sql`given.n`,
    join: (returned) =>
      sql` left join ${given} given on ${sql.join(
        columns.map(({ name }, index) => sql`given.${names[index]!} = ${returned.column(name)}`),
        " and ",
      )}`,
  };
}

function statementsOf(resource: TableResource, shape: TableShape, rows: readonly Row[], conflict: SQL): SQL[] {
  const given = columnsOf(rows);
  // `insert … () values ()` is not valid SQL, so rows of defaults name one column.
  const columns = given.length > 0 ? given : shape.columns.slice(0, 1);
  const into = sql`insert into ${resource.from as SQL} as ${TARGET} (${columnList(columns)})`;
  const lists = rows.length > 1 && given.length > 0 ? listsOf(given, rows) : undefined;
  if (lists) return [sql`${into} ${selectOf(lists)}${conflict}`];
  const size = Math.max(1, Math.floor(MAX_VALUES / columns.length));
  return [...chunks(rows, size)].map((chunk) => {
    const tuples = chunk.map(
      (row) =>
        sql`(${sql.join(
          columns.map((column) => {
            const value = row.get(column);
            return value === undefined ? sql`default` : assignedToSql(value, column.type);
          }),
          ", ",
        )})`,
    );
    return sql`${into} values ${sql.join(tuples, ", ")}${conflict}`;
  });
}

/**
 * The values of each column as one parameter, which PostgreSQL reads three times as fast as one parameter for each
 * value. Undefined where a row lacks a column or a value is an expression, and for arrays and composites, which
 * `unnest` would take apart.
 */
function listsOf(columns: readonly Column[], rows: readonly Row[]): SQL[] | undefined {
  if (rows.some((row) => row.size < columns.length)) return undefined;
  const lists: SQL[] = [];
  for (const column of columns) {
    const values = rows.map((row) => row.get(column));
    const { type } = column;
    const element: ColumnType = { ...type, ...baseOf(type) };
    if (
      ["array", "composite"].includes(type.kind) ||
      !values.every((value) => value === null || typeof value === "string")
    )
      return undefined;
    const list: ColumnType = { kind: "array", schema: element.schema, name: `${element.name}[]`, element };
    lists.push(parameter(arrayLiteral(values, delimiterOf(type)), list));
  }
  return lists;
}

/** The rows made of the columns' lists of values, in the order of the lists. */
function selectOf(lists: readonly SQL[]): SQL {
  const names = lists.map((_, index) => sql.identifier(`v${index}`));
  return sql`select ${sql.join(names, ", ")} ${fromLists(lists, names)} order by n`;
}

/** The lists as columns, and the place `n` of each row. */
function fromLists(lists: readonly SQL[], names: readonly SQL[]): SQL {
  const values = lists.map((list) => sql`pg_catalog.unnest(${list})`);
  return sql`from rows from (${sql.join(values, ", ")}) with ordinality as given(${sql.join(names, ", ")}, n)`;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
