/** The text of a row's key, the same at every door. */

/** Percent-encodes all but the unreserved characters (RFC 3986 §2.3). */
export function encodeReserved(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The text of a key of these values, in key order: of a single column as it is, of several percent-encoded and joined by
 * commas. A null, which only a table without a primary key has in it, is `%00`, which no text of PostgreSQL holds.
 */
export function keyText(values: readonly (string | null)[]): string {
  const [only] = values;
  if (values.length === 1 && typeof only === "string") return only;
  return values.map((value) => (value === null ? "%00" : encodeReserved(value))).join(",");
}
