/** PostgreSQL's text of a record: `(1,"a ""quoted"" text",)`. */

/** The fields in order; an empty record has none, or a single null: only its shape tells. */
export function parseRecord(text: string): (string | null)[] {
  const end = text.length - 1;
  if (end < 2) return [null];
  const fields: (string | null)[] = [];
  let at = 1;
  for (;;) {
    if (text[at] === '"') {
      const [field, next] = parseQuoted(text, at);
      fields.push(field);
      at = next;
    } else {
      let comma = text.indexOf(",", at);
      if (comma === -1) comma = end;
      fields.push(comma === at ? null : text.slice(at, comma));
      at = comma;
    }
    if (at >= end) return fields;
    at++; // the comma
  }
}

/** `at`: the opening quote. Within quotes `""` and `\\` are escapes for one character. */
function parseQuoted(text: string, at: number): [field: string, next: number] {
  let start = at + 1;
  let field = "";
  for (;;) {
    const quote = text.indexOf('"', start);
    const piece = text.slice(start, quote);
    field += piece.includes("\\") ? piece.replaceAll("\\\\", "\\") : piece;
    if (text[quote + 1] !== '"') return [field, quote + 1];
    field += '"';
    start = quote + 2;
  }
}

export function formatRecord(fields: readonly (string | null)[]): string {
  return `(${fields.map(formatField).join(",")})`;
}

function formatField(field: string | null): string {
  if (field === null) return "";
  if (field !== "" && !/["\\(),\s]/.test(field)) return field;
  return `"${field.replaceAll("\\", "\\\\").replaceAll('"', '""')}"`;
}
