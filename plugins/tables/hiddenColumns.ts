/**
 * Columns that the caller may not select. Lists and pages are ordered by the key in the end, so a server that knows
 * which key columns the caller may not select names them in the context of an operation.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import { databaseNameOf, type AnyResource, type DatabaseName } from "./resources.ts";

declare global {
  namespace Grafast {
    interface Context {
      /** Default: none. */
      portolanHidden?: HiddenColumns;
    }
  }
}

/** The columns in the form of `columnText`. */
export type HiddenColumns = ReadonlySet<string>;

export function columnText({ schema, name }: DatabaseName, column: string): string {
  return JSON.stringify([schema, name, column]);
}

/** The columns of the first unique key without the hidden ones. They end the order of every list. */
export function lastOrders(resource: AnyResource, hidden: HiddenColumns | undefined): readonly string[] {
  const key = (resource.uniques as readonly { attributes: readonly string[] }[])[0]?.attributes ?? [];
  const name = hidden?.size ? databaseNameOf(resource) : undefined;
  return name ? key.filter((column) => !hidden!.has(columnText(name, column))) : key;
}

/** The terms of an order by columns. */
export function orderTerms(columns: readonly string[], alias: SQL, direction: "ASC" | "DESC" | undefined): SQL[] {
  const descending = direction === "DESC" ? sql` desc` : sql.blank;
  return columns.map((name) => sql`${alias}.${sql.identifier(name)}${descending}`);
}

/**
 * Throws `FORBIDDEN` where a hidden column of the key would order a page, because its cursors would disclose the
 * values.
 */
export function checkPageKey(relation: DatabaseName, key: readonly { name: string }[], hidden: unknown): void {
  const found = key.filter(({ name }) => (hidden as HiddenColumns | undefined)?.has(columnText(relation, name)));
  if (found.length === 0) return;
  const names = found.map(({ name }) => JSON.stringify(name)).join(", ");
  throw new GatewayError(
    "FORBIDDEN",
    `pages of ${relation.name} are ordered by its key, and the account may not select ${names}: use get`,
    { sqlstate: "42501" },
  );
}
