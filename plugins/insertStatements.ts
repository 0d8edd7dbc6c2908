import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column } from "../server/filter/tree.ts";
import type { TableResource } from "./resources.ts";
import type { Row } from "./rowData.ts";
import type { TableShape } from "./shapes.ts";
import { TARGET } from "./WriteStep.ts";

/** PostgreSQL takes 65,535 parameters in a statement; a value may need several. */
const MAX_VALUES = 15_000;

/** The columns that any of the rows names. */
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
 * The statements, without `returning`, that insert rows in their order into the table as `TARGET`; a column that a row
 * lacks takes its default. `conflict`: what stands after the values.
 */
export function insertStatements(
  resource: TableResource,
  shape: TableShape,
  rows: readonly Row[],
  conflict: SQL = sql.blank,
): SQL[] {
  const given = columnsOf(rows);
  // `insert … () values ()` is no SQL: rows of nothing but defaults name one column all the same.
  const columns = given.length > 0 ? given : shape.columns.slice(0, 1);
  const size = Math.max(1, Math.floor(MAX_VALUES / columns.length));
  return [...chunks(rows, size)].map((chunk) => {
    const tuples = chunk.map(
      (row) =>
        sql`(${sql.join(
          columns.map((column) => row.get(column) ?? sql`default`),
          ", ",
        )})`,
    );
    return sql`insert into ${resource.from as SQL} as ${TARGET} (${columnList(columns)}) values ${sql.join(tuples, ", ")}${conflict}`;
  });
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
