/** The column with the time of a feature, and the interval of time that a collection covers. */
import { sql } from "postgraphile/pg-sql2";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { hasParts } from "../../server/types/columnType.ts";
import { rowOf } from "../../server/types/table.ts";
import { sourceOf, type Collection, type CollectionColumn } from "./collections.ts";

/**
 * Start and end, as RFC 3339 writes instants in UTC; null for an open end. A day lasts from its first to its last
 * second.
 */
export type Interval = readonly [from: string | null, to: string | null];

export function isTemporal({ type }: Pick<CollectionColumn, "type">): boolean {
  const moment = hasParts(type) ? undefined : rowOf(type).moment;
  return moment === "date" || moment === "timestamp";
}

/** The column marked `@instant`, else the only date or time column; undefined where there is none, or several. */
export function instantColumn({ columns }: Pick<Collection, "columns">): CollectionColumn | undefined {
  const temporal = columns.filter(isTemporal);
  return temporal.find(({ instant }) => instant) ?? (temporal.length === 1 ? temporal[0] : undefined);
}

/**
 * The interval from the first to the last value of the column; undefined where it has no value. A timestamp without
 * zone is taken as UTC.
 */
export async function readInterval(
  transaction: Transaction,
  collection: Collection,
  column: CollectionColumn,
): Promise<Interval | undefined> {
  const value = sql`t.${sql.identifier(column.name)}`;
  const { text, values } = sql.compile(
    sql`select pg_catalog.to_json(pg_catalog.min(${value})) #>> '{}' as first, pg_catalog.to_json(pg_catalog.max(${value})) #>> '{}' as last
      from ${sourceOf(collection)} t`,
  );
  const { rows } = await transaction.query<{ first: string | null; last: string | null }>({ text, values });
  const { first, last } = rows[0]!;
  return first === null || last === null ? undefined : [shown(first, "00:00:00"), shown(last, "23:59:59")];
}

/**
 * The text of an instant; null for infinity, and for a time that RFC 3339 cannot write. `time`: the time that is added
 * to a day.
 */
function shown(text: string, time: string): string | null {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T${time}Z`;
  const at = Date.parse(/(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10)) ? text : `${text}Z`);
  return Number.isNaN(at) || !/^\d{4}-/.test(text) ? null : new Date(at).toISOString();
}
