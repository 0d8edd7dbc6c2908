/** The values that styles take from columns, as SQL over the rows `t` of a statement. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { cell } from "./mapData.ts";
import type { FromColumn, LabelText } from "./style.ts";

/** The largest length, in pixels. */
export const MAX_LENGTH = 500;
const MAX_LABEL_LENGTH = 200;

/** The number in a column, limited to `least` and `most`; `fallback` where it is null. */
export function numberOf({ column }: FromColumn, least: number, most: number, fallback: number): SQL {
  const literal = (each: number): SQL => sql`(${sql.literal(each)})::float8`;
  const within = sql`greatest(${literal(least)}, least(${literal(most)}, ${cell(column)}::float8))`;
  return sql`coalesce(${within}, ${literal(fallback)})`;
}

/** The `#rrggbb` in a column; null where it has none. */
export function colourOf({ column }: FromColumn): SQL {
  const text = sql`${cell(column)}::text`;
  const isColour = sql`${text} operator(pg_catalog.~) ${sql.value("^#[0-9A-Fa-f]{6}$")}`;
  return sql`case when ${isColour} then ${text} end`;
}

export function labelText(text: LabelText): SQL {
  const parts = text.map((part) => sql`${typeof part === "string" ? sql.value(part) : cell(part)}::text`);
  return sql`pg_catalog.left(pg_catalog.concat(${sql.join(parts, ", ")}), ${sql.literal(MAX_LABEL_LENGTH)})`;
}
