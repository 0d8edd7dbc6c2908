/** SQL for a mapfile: one line without anything that MapServer would interpret. */
import { sql, type SQL } from "postgraphile/pg-sql2";

/**
 * The characters that are safe once names and values are written as below. The quote of a mapfile, backslash, newline
 * and percent sign are not among them.
 */
const SAFE = /^[A-Za-z0-9_ "@$&().,:;=<>+*/|~^[\]-]*$/;

/** The placeholder `!BOX!`, for which MapServer puts the rectangle of the map. */
export const BOX: SQL = sql`!BOX!`;

/**
 * The text of `node`. Unusual names are written by their code points, values by their bytes, so that their texts do not
 * appear in it. Throws if anything is left that a mapfile could misread.
 */
export function toMapSql(node: SQL): string {
  const { text, values } = sql.compile(node);
  const written = text
    .replace(/"((?:[^"]|"")*)"|\$([0-9]+)/g, (_token, name: string | undefined, position: string) =>
      name === undefined ? writeValue(values[Number(position) - 1]) : writeName(name.replaceAll('""', '"')),
    )
    // Portolan's own names, such as that of a text search configuration
    .replace(/'([A-Za-z0-9_.]+)'/g, "$$$$$1$$$$")
    .replace(/\s+/g, " ")
    .trim();
  if (!SAFE.test(written.replaceAll("!BOX!", ""))) throw new Error("SQL that a mapfile cannot hold");
  return written;
}

/** PostgreSQL §4.1.2.3: identifiers with Unicode escapes. */
function writeName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `"${name}"`;
  const escaped = [...name].map((character) => `@+${character.codePointAt(0)?.toString(16).padStart(6, "0")}`);
  return `U&"${escaped.join("")}" UESCAPE $$@$$`;
}

function writeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return `(${value})`;
  if (typeof value !== "string") throw new Error(`a value of a kind that a mapfile cannot hold: ${typeof value}`);
  const text = `pg_catalog.convert_from(pg_catalog.decode($$${Buffer.from(value).toString("hex")}$$,$$hex$$),$$UTF8$$)`;
  // the text comes from JSON because that has no collation of its own, which would conflict with that of a column
  return `pg_catalog.json_extract_path_text(pg_catalog.to_json(${text}),variadic array[]::pg_catalog.text[])`;
}
