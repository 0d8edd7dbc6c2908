/** The caller's value, shortened, so that an error message stays one readable line. */

const LONGEST = 60;

/** `text` in quotes and cut to 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** A JSON value for a message: scalars as they are, the rest by its kind. */
export function show(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value === undefined) return "nothing";
  if (value !== null && typeof value === "object") return "an object";
  return String(value);
}

/** `path` with the member `key`: `where.name`; a long key, or one that is no plain word, is quoted. */
export function at(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return /^\w{1,60}$/.test(key) ? `${path}.${key}` : `${path}[${quote(key)}]`;
}
