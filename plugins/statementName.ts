import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Text → name, of the 4000 statements that were used last. */
const names = new LRUCache<string, string>({ max: 4000 });

/** Statements of one text share a name, so that each connection prepares them once. `kind`: what the name begins with. */
export function statementName(kind: "json" | "write", text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `${kind} ${createHash("sha256").update(text).digest("base64url")}`;
    names.set(text, name);
  }
  return name;
}
