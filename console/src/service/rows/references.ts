/** Rows of the table that a foreign key refers to, with their names for people. */
import { graphql } from "../http/ask.ts";
import type { Column, Relation } from "./relations.ts";

function isText({ sqlType }: Column): boolean {
  return /^(text|citext|character varying|character)\b/.test(sqlType);
}

/** The column with the name of a row for people; undefined where it has only its key. */
export function titleOf(columns: readonly Column[], key: Column | undefined): Column | undefined {
  const texts = columns.filter((column) => isText(column) && column.name !== key?.name);
  return texts.find(({ name }) => name === "name") ?? texts[0];
}

export interface Found {
  readonly key: string;
  /** The value of its first text column; empty where it has none. */
  readonly title: string;
}

/**
 * The row whose `column` equals `search`, followed by the first ones with a text that contains it; any rows for an
 * empty text.
 */
export async function findRows(
  { schema, type, columns }: Relation,
  column: Column,
  search: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const texts = columns.filter(isText);
  const title = titleOf(columns, column);
  const pattern = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const like = search === "" ? {} : { or: texts.map(({ name }) => ({ [name]: { ilike: pattern } })) };
  const isKey = isText(column) ? search !== "" : /^(small|big)?int/.test(column.sqlType) && /^-?\d{1,18}$/.test(search);
  const fields = `key: ${column.name} ${title ? `title: ${title.name}` : ""}`;
  const found = await graphql<Record<"exact" | "list", readonly { key: unknown; title?: unknown }[] | undefined>>(
    schema,
    `query ($exact: JSON, $like: JSON, $orderBy: JSON, $isKey: Boolean!, $isText: Boolean!) {
      exact: get${type}(where: $exact, limit: 1) @include(if: $isKey) { ${fields} }
      list: get${type}(where: $like, orderBy: $orderBy, limit: 50) @include(if: $isText) { ${fields} }
    }`,
    {
      exact: isKey ? { [column.name]: search } : null,
      like,
      orderBy: { [(title ?? column).name]: "asc" },
      isKey,
      isText: search === "" || texts.length > 0,
    },
    { signal },
  );
  const rows = [...(found.exact ?? []), ...(found.list ?? [])].map(({ key, title }) => ({
    key: String(key),
    title: typeof title === "string" ? title : "",
  }));
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

/**
 * The names of rows by the values of `key`, as texts. Rows without a name, and those that may not be seen, are left
 * out.
 */
export async function readTitles(
  { schema, type, columns }: Relation,
  key: Column,
  values: readonly unknown[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const title = titleOf(columns, key);
  if (!title) return new Map();
  const { list } = await graphql<{ list: readonly { readonly key: unknown; readonly title: unknown }[] }>(
    schema,
    `query ($where: JSON, $limit: Int) {
      list: get${type}(where: $where, limit: $limit) { key: ${key.name} title: ${title.name} }
    }`,
    { where: { [key.name]: { in: values } }, limit: values.length },
    { signal },
  );
  return new Map(list.flatMap(({ key, title }) => (typeof title === "string" ? [[String(key), title] as const] : [])));
}
