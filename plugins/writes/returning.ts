/** The result of a statement that writes rows. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { primaryKeyOf, type AnyResource, type TableResource } from "../tables/resources.ts";

/** The alias of the written table. No column can have this name. */
export const TARGET = sql.identifier(Symbol("target"));

/**
 * The result of `returningRows` if there are more rows than allowed. It cannot be the text of an array, which begins
 * with a brace.
 */
export const TOO_MANY = "too many";

/** The rows of `written`, the statement with `returning`. */
export interface Returned {
  /** The list of `returning`. */
  readonly list: SQL;
  /** A row of `written` as one value of the table's row type. */
  readonly row: SQL;
  /** A column of that row. */
  column(name: string): SQL;
}

/**
 * The returned row. `columns`: the columns to include; others are null. Undefined for all. A shard of Citus has its own
 * row type, so its columns are returned one by one, and the coordinator makes the rows of them.
 */
export function returnedRow({ codec }: TableResource, columns: readonly string[] | undefined): Returned {
  const all = Object.keys(codec.attributes);
  const isReturned = (column: string): boolean => !columns || columns.includes(column);
  const rowOf = (value: (column: string) => SQL): SQL =>
    sql`row(${sql.join(
      all.map((column) => (isReturned(column) ? value(column) : sql.null)),
      ", ",
    )})::${codec.sqlType}`;
  const own = (column: string): SQL => sql`${TARGET}.${sql.identifier(column)}`;
  if (!codec.extensions?.portolanSharded) {
    const row = columns ? rowOf(own) : TARGET;
    return { list: sql`${row} as r`, row: sql`r`, column: (name) => sql`(r).${sql.identifier(name)}` };
  }
  const column = (name: string): SQL => sql.identifier(`v${all.indexOf(name)}`);
  const list = all.filter(isReturned).map((name) => sql`${own(name)} as ${column(name)}`);
  return { list: list.length > 0 ? sql.join(list, ", ") : sql`true as v`, row: rowOf(column), column };
}

/** The rows that a statement returns. */
interface Returning {
  /** The columns to include; undefined for all. */
  readonly columns: readonly string[] | undefined;
  /** Whether the rows are in the order of the input. Otherwise they are in the order of the key. */
  readonly inputOrder?: boolean;
  /** The largest number of rows; more give `TOO_MANY`. */
  readonly most?: number | undefined;
  /** Set where `written` is not in the order of the input. */
  readonly place?: Place | undefined;
}

/** A source to join with `written`, with a column for the place of a row. */
export interface Place {
  join(returned: Returned): SQL;
  readonly order: SQL;
}

/**
 * A data-modifying statement over the table as `TARGET`, without `returning`, as a query for `WriteStep`.
 */
export function returningRows(
  resource: TableResource,
  statement: SQL,
  { columns, inputOrder = false, most, place }: Returning,
): SQL {
  const returned = returnedRow(resource, columns);
  const key = inputOrder ? undefined : primaryKeyOf(resource as AnyResource);
  const order = key?.every((column) => !columns || columns.includes(column)) ? key.map(returned.column) : [];
  const terms = place ? [place.order] : order;
  const sorted = terms.length > 0 ? sql` order by ${sql.join(terms, ", ")}` : sql.blank;
  const rows = sql`array_agg(${returned.row}${sorted})::text`;
  const given =
    most === undefined
      ? rows
      : sql`case when count(*) > ${sql.literal(most)} then ${sql.literal(TOO_MANY)} else ${rows} end`;
  return sql`with written as (${statement} returning ${returned.list}) select ${given} from written${place?.join(returned) ?? sql.blank}`;
}
