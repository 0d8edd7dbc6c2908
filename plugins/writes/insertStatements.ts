import { sql, type SQL } from "postgraphile/pg-sql2";
import { parameter } from "../../server/filter/sqlTypes.ts";
import type { Column } from "../../server/filter/tree.ts";
import { assignedToSql } from "../../server/filter/values.ts";
import { baseOf, type ColumnType } from "../../server/types/columnType.ts";
import { arrayLiteral } from "../../server/types/literals.ts";
import { delimiterOf } from "../../server/types/table.ts";
import type { TableResource } from "../tables/resources.ts";
import type { Row } from "./rowData.ts";
import type { TableShape } from "../tables/shapes.ts";
import { TARGET } from "./WriteStep.ts";

/** PostgreSQL takes 65,535 parameters in a statement; a value may need several. */
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

/**
 * The statements, without `returning`, that insert rows in their order into the table as `TARGET`; a missing column takes
 * its default. `conflict`: the clause after the values.
 */
export function insertStatements(
  resource: TableResource,
  shape: TableShape,
  rows: readonly Row[],
  conflict: SQL = sql.blank,
): SQL[] {
  const given = columnsOf(rows);
  // `insert … () values ()` is not valid SQL: rows of defaults only name one column all the same.
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
 * The values of each column as one parameter, which PostgreSQL reads three times as fast as one for each value. Undefined
 * where a row lacks a column, where a value is an expression, and for arrays and composites, which `unnest` takes apart.
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
  const columns = sql.join(names, ", ");
  const values = lists.map((list) => sql`pg_catalog.unnest(${list})`);
  return sql`select ${columns} from rows from (${sql.join(values, ", ")}) with ordinality as given(${columns}, n) order by n`;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
