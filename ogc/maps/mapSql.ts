/** SQL for a mapfile: one line, in which nothing means anything to MapServer. */
import { sql, type SQL } from "postgraphile/pg-sql2";

/**
 * The safe characters, when names and values are written as below: no quote of a mapfile, backslash, newline or percent
 * sign.
 */
const SAFE = /^[A-Za-z0-9_ "@$&().,:;=<>+*/|~^[\]-]*$/;

/** A condition on the rectangle of the map, which MapServer puts in place of `!BOX!`. */
export const BOX: SQL = sql`!BOX!`;

/**
 * The text of `node`. Names of odd characters are written by their code points, values by their bytes, so that the text of
 * neither appears in it. Throws when that leaves anything that a mapfile could misread.
 */
export function toMapSql(node: SQL): string {
  const { text, values } = sql.compile(node);
  const written = text
    .replace(/"((?:[^"]|"")*)"|\$([0-9]+)/g, (_token, name: string | undefined, position: string) =>
      name === undefined ? writeValue(values[Number(position) - 1]) : writeName(name.replaceAll('""', '"')),
    )
    // names of ours, such as that of a text search configuration
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
  // its own collation would conflict with that of a column: text from JSON has none
  return `pg_catalog.json_extract_path_text(pg_catalog.to_json(${text}),variadic array[]::pg_catalog.text[])`;
}
