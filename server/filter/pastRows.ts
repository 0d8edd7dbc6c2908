/** The rows that a table had at an instant, for a statement of an interface. */
import { sql, type SQL } from "postgraphile/pg-sql2";

/**
 * The source that replaces a table whose history is kept: `from ${pastRows(table, instant)} as t`. It has the table's
 * columns by name. PostgreSQL checks only the rights to columns that the statement names; the function `as_of_…` would
 * need all of them. `instant`: SQL of a timestamptz. The history is joined with one empty row, which gives the condition
 * a place.
 */
export function pastRows({ schema, name }: { readonly schema: string; readonly name: string }, instant: SQL): SQL {
  const past = sql.identifier(Symbol("past"));
  const one = sql.identifier(Symbol("one"));
  const quoted = (text: string): SQL => sql`pg_catalog.quote_ident(${sql.value(text)}::pg_catalog.text)`;
  const table = sql`(${quoted(schema)} operator(pg_catalog.||) '.' operator(pg_catalog.||) ${quoted(name)})`;
  const isThen = sql`${past}.portolan_from operator(pg_catalog.<=) ${instant} and ${past}.portolan_to operator(pg_catalog.>) ${instant}`;
  const isFresh = sql`(select portolan.fresh_history(${table}::pg_catalog.regclass))`;
  return sql`(${sql.identifier(`${schema}__history`, name)} as ${past} join (select) as ${one} on ${isThen} and ${isFresh})`;
}
