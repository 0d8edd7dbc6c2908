/** Cells of comma-separated values (RFC 4180). */

/** A text that a spreadsheet would evaluate gets a `'`. */
export function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Quoted where necessary; an empty text is quoted, to tell it from NULL. */
export function quoteCell(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
