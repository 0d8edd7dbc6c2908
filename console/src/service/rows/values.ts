/** Converts values to the text of a cell, and typed texts to values. */
import { isGeometry } from "./isGeometry.ts";
import type { Column } from "./relations.ts";
import type { Row, Value } from "./rows.ts";
import { t } from "../../words/words.ts";

const NUMBERS: ReadonlySet<string> = new Set(["Int", "Float"]);

/** What stands in place of a value that is null, or that GraphQL gives as null. */
export function emptyText({ notFinite }: Row, name: string): string {
  return notFinite?.includes(name) ? t("not a finite shape") : "null";
}

/** A value in one line for display. Null is shown by the cell, not as a text. */
export function show(value: Value): string {
  if (typeof value === "string") return value;
  const geometry = value as { type?: string; coordinates?: unknown } | null;
  if (geometry && typeof geometry === "object" && typeof geometry.type === "string" && isShapeLike(geometry))
    return geometry.type === "Point" ? `Point ${JSON.stringify(geometry.coordinates)}` : geometry.type;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null))
    return value.map((item: unknown) => (item === null ? "null" : show(item))).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return intervalText(value) ?? rangeText(value) ?? JSON.stringify(value);
}

const isShapeLike = (value: { type?: string }): boolean =>
  "coordinates" in value || (value.type === "GeometryCollection" && "geometries" in value);

const UNITS = ["years", "months", "days", "hours", "minutes", "seconds"] as const;

/** The text of GraphQL's value of an interval: `3 days 2 hours`. */
function intervalText(value: object): string | undefined {
  const parts = value as Readonly<Record<string, unknown>>;
  const isInterval = Object.keys(parts).length === UNITS.length && UNITS.every((unit) => unit in parts);
  if (!isInterval) return undefined;
  const told = UNITS.filter((unit) => Number(parts[unit]) !== 0).map((unit) => {
    const amount = String(parts[unit]);
    return `${amount} ${amount === "1" || amount === "-1" ? unit.slice(0, -1) : unit}`;
  });
  return told.length === 0 ? "0 seconds" : told.join(" ");
}

interface Bound {
  readonly value: unknown;
  readonly inclusive: boolean;
}

/** The text of GraphQL's value of a range: `[1, 5)`. */
function rangeText(value: object): string | undefined {
  const { start, end, ...others } = value as Readonly<Record<string, unknown>>;
  const isBound = (bound: unknown): bound is Bound | null =>
    bound === null || (typeof bound === "object" && "value" in bound && "inclusive" in bound);
  if (!isBound(start) || !isBound(end) || Object.keys(others).length > 0) return undefined;
  return `${start?.inclusive ? "[" : "("}${start ? show(start.value) : ""}, ${end ? show(end.value) : ""}${end?.inclusive ? "]" : ")"}`;
}

/** Whether its values are right-aligned, digit below digit. */
export function isNumber({ sqlType, reference }: Column): boolean {
  return (
    reference === undefined &&
    /^(smallint|integer|bigint|numeric|real|double precision|money)\b(?!.*\[\]$)/.test(sqlType)
  );
}

/** Whether it is a GeoJSON geometry with coordinates. */
export function isShape(value: Value): value is object {
  const { type, coordinates, geometries } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof type === "string" && [coordinates, geometries].some((each) => Array.isArray(each) && each.length > 0);
}

/** At most `most` characters of a text, with a mark if it was longer. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}

/** The initial text of a cell's editor. */
export function toText(value: Value): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The parts of a column that determine which value a text becomes. */
export type Typed = Pick<Column, "name" | "type" | "selection"> & Partial<Pick<Column, "sqlType">>;

/** Well-known text, as of PostGIS, which may name a reference system. */
const WELL_KNOWN_TEXT = /^\s*(SRID\s*=\s*\d+\s*;)?\s*[A-Z]+\s*(Z|M|ZM)?\s*(\(|EMPTY)/i;

/** The value of a text. Throws where the text is not a value of the column. PostgreSQL makes the final check. */
export function fromText(column: Typed, text: string): Value {
  if (column.type === "Boolean") return text === "true";
  if (NUMBERS.has(column.type)) {
    if (text.trim() === "" || !Number.isFinite(Number(text))) throw new Error(t("This is not a number."));
    return Number(text);
  }
  const isDocument = column.type === "JSON" || column.type.startsWith("[") || column.selection !== column.name;
  if (!isDocument) return text;
  if (isGeometry({ sqlType: column.sqlType ?? "" }) && WELL_KNOWN_TEXT.test(text)) return text;
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new Error(t("This is not JSON."));
  }
}
