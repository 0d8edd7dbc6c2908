/** The id of a row in all of a schema: base64url of the name of its type and the text of its key. */
import { sql, type SQL } from "postgraphile/pg-sql2";

const SEPARATOR = ":"; // no type has it in its name

export function writeNodeId(typeName: string, key: string): string {
  return Buffer.from(`${typeName}${SEPARATOR}${key}`).toString("base64url");
}

/** Undefined for what `writeNodeId` did not write. */
export function readNodeId(nodeId: unknown): { readonly typeName: string; readonly key: string } | undefined {
  const text = Buffer.from(String(nodeId), "base64url").toString("utf8");
  const end = text.indexOf(SEPARATOR);
  const [typeName, key] = [text.slice(0, end), text.slice(end + 1)];
  return end > 0 && writeNodeId(typeName, key) === nodeId ? { typeName, key } : undefined;
}

/** The same of a key of one column, as SQL. */
export function nodeIdToSql(typeName: string, key: SQL): SQL {
  return toBase64url(sql`${sql.literal(typeName + SEPARATOR)} || ${key}::pg_catalog.text`);
}

/** base64url of a text in UTF-8, as SQL. */
export function toBase64url(text: SQL): SQL {
  return sql`pg_catalog.translate(pg_catalog.encode(pg_catalog.convert_to(${text}, 'UTF8'), 'base64'), e'+/=\\n', '-_')`;
}
