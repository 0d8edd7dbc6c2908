/** How values look in a cell, and what somebody typed becomes. */
import type { Column } from "./relations.ts";
import type { Value } from "./rows.ts";

const NUMBERS: ReadonlySet<string> = new Set(["Int", "Float"]);

/** One line for the eye. Null is shown by the cell, not as a text. */
export function show(value: Value): string {
  if (typeof value === "string") return value;
  const geometry = value as { type?: string; coordinates?: unknown } | null;
  if (geometry && typeof geometry === "object" && typeof geometry.type === "string" && "coordinates" in geometry)
    return geometry.type === "Point" ? `Point ${JSON.stringify(geometry.coordinates)}` : geometry.type;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function isGeometry({ sqlType }: Column): boolean {
  return /^(\w+\.)?(geometry|geography)\b/.test(sqlType);
}

/** A geometry of GeoJSON that has places. */
export function isShape(value: Value): value is object {
  const { type, coordinates, geometries } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof type === "string" && [coordinates, geometries].some((each) => Array.isArray(each) && each.length > 0);
}

/** No more of a text than `most` characters, with a sign that there is more. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}

/** What an editor of the cell begins with. */
export function toText(value: Value): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Throws where the text is no value of the column; PostgreSQL has the last word. */
export function fromText(column: Column, text: string): Value {
  if (column.type === "Boolean") return text === "true";
  if (NUMBERS.has(column.type)) {
    if (text.trim() === "" || !Number.isFinite(Number(text))) throw new Error("This is no number.");
    return Number(text);
  }
  const isDocument = column.type === "JSON" || column.type.startsWith("[") || column.selection !== column.name;
  if (!isDocument) return text;
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new Error("This is no JSON.");
  }
}
