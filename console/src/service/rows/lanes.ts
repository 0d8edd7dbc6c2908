/** The lanes of a kanban board: the values of a column of the table, and the rows with each value. */
import { graphql } from "../http/ask.ts";
import type { Column, Relation } from "./relations.ts";
import type { Value } from "./rows.ts";

/** The most lanes, since nobody can read a board with more. */
export const MOST_LANES = 20;

/** Whether rows can be grouped into lanes by the column. */
export function isGroup({ type, values, reference, sqlType }: Column): boolean {
  return (
    values !== undefined ||
    reference !== undefined ||
    type === "Boolean" ||
    /^(text|citext|character varying|character|smallint|integer|bigint)\b(?!.*\[\]$)/.test(sqlType)
  );
}

/** The values, null last. Where there are more than `MOST_LANES`, one more is returned. */
export async function readLanes(
  { schema, type }: Relation,
  column: Column,
  where: object | undefined,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  const end: readonly Value[] = column.isNullable ? [null] : [];
  if (column.type === "Boolean") return [true, false, ...end];
  if (column.values) return [...column.values, ...end];
  const { list } = await graphql<{ readonly list: readonly { readonly value: Value }[] }>(
    schema,
    `query ($where: JSON, $by: [String!], $orderBy: JSON, $limit: Int) {
      list: get${type}(where: $where, distinctOn: $by, orderBy: $orderBy, limit: $limit) { value: ${column.name} }
    }`,
    { where, by: [column.name], orderBy: [{ [column.name]: "asc" }], limit: MOST_LANES + 2 },
    { signal },
  );
  const values = list.map(({ value }) => value).filter((value) => value !== null);
  return [...values.slice(0, MOST_LANES + 1), ...end];
}

/** The filter with the condition for this value. */
export function whereLane(where: object | undefined, { name }: Column, value: Value): object {
  const own = { [name]: value === null ? null : { eq: value } };
  return where ? { and: [where, own] } : own;
}
