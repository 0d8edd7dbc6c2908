/** The only ways for a text and a name into the text of a statement. */
import pg from "pg";

/** A text as SQL takes it, for what has no parameters: names of settings, and a statement that is shown to a person. */
export function quoteLiteral(text: string): string {
  return pg.escapeLiteral(text);
}

/** A name as SQL takes it. */
export function quoteIdentifier(name: string): string {
  return pg.escapeIdentifier(name);
}
