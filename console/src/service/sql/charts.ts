/** The charts of results. */
import type { Query } from "../http/openapi.ts";
import { numbersOf, timesOf, type Result } from "./results.ts";

export type QueryChart = NonNullable<Query["chart"]>;

/** How a result is shown. */
export type Looks = { readonly as: "table" | "json" | "map" } | { readonly as: "chart"; readonly chart: QueryChart };

/** The chart that suits the columns: a line over time or over another number, else bars with names. */
export function chartOf(schema: Result["schema"], show?: QueryChart["show"]): QueryChart {
  const numbers = numbersOf(schema);
  const y = numbers.at(-1);
  const time = timesOf(schema)[0];
  const word = Object.keys(schema).find(
    (name) => name !== time && !numbers.includes(name) && !isGeometry(schema, name),
  );
  const kind = show ?? (time === undefined && word !== undefined ? "bar" : "line");
  const number = numbers.length > 1 ? numbers[0]! : undefined;
  const x = kind === "bar" ? (word ?? time ?? number) : kind === "line" ? (time ?? number ?? "") : undefined;
  return { show: kind, ...(x !== undefined && { x }), ...(y !== undefined && { y }) };
}

function isGeometry(schema: Result["schema"], name: string): boolean {
  return /^geo/i.test(schema[name]!.type);
}

/** The looks of a saved query. */
export function looksOf(chart: QueryChart | null | undefined): Looks {
  return chart ? { as: "chart", chart } : { as: "table" };
}

/** What is saved with a query that is shown so. */
export function chartIn(looks: Looks): QueryChart | null {
  return looks.as === "chart" ? looks.chart : null;
}
