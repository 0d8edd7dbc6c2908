/** The id of a row, unique in a schema: base64url of its type's name and the text of its key. */
import { sql, type SQL } from "postgraphile/pg-sql2";

const SEPARATOR = ":"; // no type's name contains it

export function writeNodeId(typeName: string, key: string): string {
  return Buffer.from(`${typeName}${SEPARATOR}${key}`).toString("base64url");
}

/** Reads a text of `writeNodeId`; undefined for any other. */
export function readNodeId(nodeId: unknown): { readonly typeName: string; readonly key: string } | undefined {
  const text = Buffer.from(String(nodeId), "base64url").toString("utf8");
  const end = text.indexOf(SEPARATOR);
  const [typeName, key] = [text.slice(0, end), text.slice(end + 1)];
  return end > 0 && writeNodeId(typeName, key) === nodeId ? { typeName, key } : undefined;
}

/** The id as SQL, from the values of the key's columns. */
export function nodeIdToSql(typeName: string, values: readonly SQL[]): SQL {
  const texts = values.map((value) => sql`${value}::pg_catalog.text`);
  const key = texts.length > 1 ? sql.join(texts.map(encodeReserved), " || ',' || ") : texts[0]!;
  return toBase64url(sql`${sql.literal(typeName + SEPARATOR)} || ${key}`);
}

/** Percent-encodes all but the unreserved characters, as `encodeReserved` of `keyText.ts` does. */
function encodeReserved(text: SQL): SQL {
  const encoded = sql`pg_catalog.upper(pg_catalog.regexp_replace(pg_catalog.encode(pg_catalog.convert_to(c, 'UTF8'), 'hex'), '(..)', '%\\1', 'g'))`;
  return sql`(case when ${text} collate "C" ~ '^[A-Za-z0-9_.~-]*$' then ${text} else (select pg_catalog.string_agg(case when c collate "C" ~ '[A-Za-z0-9_.~-]' then c else ${encoded} end, '' order by n) from pg_catalog.regexp_split_to_table(${text}, '') with ordinality as characters (c, n)) end)`;
}

/** base64url of a text in UTF-8, as SQL. */
export function toBase64url(text: SQL): SQL {
  return sql`pg_catalog.translate(pg_catalog.encode(pg_catalog.convert_to(${text}, 'UTF8'), 'base64'), e'+/=\\n', '-_')`;
}
