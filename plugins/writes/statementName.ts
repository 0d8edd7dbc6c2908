import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The names of statements by their text, for the 4000 most recently used. */
const names = new LRUCache<string, string>({ max: 4000 });

/**
 * The name of a statement. Statements with the same text share a name, so that each connection prepares them once.
 * `kind`: the prefix of the name.
 */
export function statementName(kind: "json" | "write", text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `${kind} ${createHash("sha256").update(text).digest("base64url")}`;
    names.set(text, name);
  }
  return name;
}
