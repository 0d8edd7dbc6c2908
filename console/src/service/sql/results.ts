/** The answers of statements and methods. */
import type { Result } from "../http/openapi.ts";
import { plural, t } from "../../words/words.ts";

export type { Result };

const MOST_ROWS = 1000;
/** The most cells of a result: a page with more stalls for seconds. */
const MOST_CELLS = 30_000;

/** The number of rows that are drawn. A result with very many columns has fewer. All rows were read. */
export function shownOf({ schema, data }: Pick<Result, "schema" | "data">): number {
  const columns = Math.max(1, Object.keys(schema).length);
  return Math.min(data.length, MOST_ROWS, Math.max(1, Math.floor(MOST_CELLS / columns)));
}

/** The summary of a result. `ms`: its duration, where it is known. */
export function summaryOf(result: Result, ms?: number): string {
  const { affected_rows: affected, data, format } = result;
  const time = ms === undefined ? "" : `, ${Math.round(ms)} ms`;
  if (typeof data === "string") return `${format ?? "text"}${time}`;
  const rows = affected ?? data.length;
  const drawn = shownOf(result);
  const shown = affected === undefined && data.length > drawn ? t(", the first {count} shown", { count: drawn }) : "";
  return (
    (affected === undefined
      ? plural(rows, "{count} row", "{count} rows")
      : plural(rows, "{count} row affected", "{count} rows affected")) +
    shown +
    time
  );
}

/** Columns whose values can be drawn as numbers. */
export function numbersOf(schema: Result["schema"]): readonly string[] {
  return columnsOf(schema, /^(int|float|numeric|smallint|bigint|real|double|decimal)/);
}

/** Columns whose values are instants or days. */
export function timesOf(schema: Result["schema"]): readonly string[] {
  return columnsOf(schema, /^(date|timestamp)/);
}

function columnsOf(schema: Result["schema"], type: RegExp): readonly string[] {
  return Object.keys(schema).filter((name) => !schema[name]!.array && type.test(schema[name]!.type));
}
