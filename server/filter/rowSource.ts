/** The rows of one table, chosen by the filter language, for the code that writes the statement which reads them. */
import type { SQL } from "postgraphile/pg-sql2";
import type { Column } from "./tree.ts";

/** Which rows, in which order, and as of which instant: the arguments of GraphQL. */
export type ChosenRows = Readonly<Partial<Record<"where" | "orderBy" | "asOf", unknown>>>;

export interface RowSource {
  /** The columns that GraphQL shows. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, where all of them are shown. */
  readonly key: readonly Column[];
  /** By the name of its field or its own. */
  column(name: string): Column | undefined;
  /** Throws `BAD_USER_INPUT`. */
  select(chosen: ChosenRows): SelectedRows;
}

export interface SelectedRows {
  readonly from: SQL;
  /** All tables that are read. */
  readonly relations: readonly { readonly schema: string; readonly name: string }[];
  /** Undefined for all rows. */
  condition(alias: SQL): SQL | undefined;
  /** The terms of `order by` that were asked for. */
  order(alias: SQL): readonly SQL[];
}
