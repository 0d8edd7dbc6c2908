/** The only ways to put a text or a name into the text of a statement. */
import pg from "pg";

/**
 * A text as an SQL literal, for statements without parameters: names of settings, and statements that are shown to
 * people.
 */
export function quoteLiteral(text: string): string {
  return pg.escapeLiteral(text);
}

/** A name as an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return pg.escapeIdentifier(name);
}
