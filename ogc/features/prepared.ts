/** Statements that are kept prepared: by their text, which says collection, columns, CRS and which parameters there are. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { sql, type SQL } from "pg-sql2";
import type { RowStatement } from "../../server/kernel/database/database.ts";

/** Names by text, empty where it came once: what nobody asks for again would only drive out what is asked for often. */
const names = new LRUCache<string, string>({ max: 1000 });

/**
 * Of a statement whose plan is the same whatever its values are: by a key, or in the order of one. A plan for any box
 * would be the wrong one for most.
 */
export function prepared(query: SQL): RowStatement {
  const { text, values } = sql.compile(query);
  const name = names.get(text);
  if (name === undefined) names.set(text, "");
  else if (name === "") names.set(text, `ogc ${createHash("sha256").update(text).digest("base64url")}`);
  return { text, values, name: name === "" ? undefined : name };
}
