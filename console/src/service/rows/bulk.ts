/** Changes of many rows at once, and their undo for tables with history. */
import { graphql } from "../http/ask.ts";
import { readVersions, restore } from "./history.ts";
import type { Relation } from "./relations.ts";
import { answer, rest } from "../http/rest.ts";
import { keyOf, type Row, type Value } from "./rows.ts";
import { t } from "../../words/words.ts";

/** The most rows in one request. */
export const MOST_UNDONE = 1000;

/** The undo of a change: its rows as they were just before it. */
export interface Undo {
  readonly keys: readonly string[];
  /** The instant of the change. */
  readonly at: string;
}

/** The filter of rows by their keys; undefined where the caller may not read the whole key. */
export function whereOf({ key }: Relation, rows: readonly Row[]): object | undefined {
  const [first] = key;
  if (!first) return undefined;
  if (key.length === 1) return { [first.name]: { in: rows.map(({ values }) => values[first.name]) } };
  return { or: rows.map(({ values }) => Object.fromEntries(key.map(({ name }) => [name, { eq: values[name] }]))) };
}

/** A filter that matches all rows, for operations that require one. */
export function everyRow({ key, columns }: Relation): object {
  const { name } = (key[0] ?? columns[0])!;
  return { or: [{ [name]: null }, { not: { [name]: null } }] };
}

/** Writes a value into all matching rows, or into none. Returns their keys. */
export async function updateWhere(
  schema: string,
  { type }: Relation,
  where: object,
  data: Readonly<Record<string, Value>>,
): Promise<readonly string[]> {
  return keysOf(
    await graphql(
      schema,
      `mutation ($where: JSON, $data: JSON) { rows: update${type}(where: $where, data: $data) { nodeId } }`,
      {
        where,
        data,
      },
    ),
  );
}

/** Deletes all matching rows, or none. Returns their keys. */
export async function deleteWhere(schema: string, { type }: Relation, where: object): Promise<readonly string[]> {
  return keysOf(
    await graphql(schema, `mutation ($where: JSON) { rows: delete${type}(where: $where) { nodeId } }`, { where }),
  );
}

function keysOf({ rows }: { readonly rows: readonly { readonly nodeId: string }[] }): readonly string[] {
  return rows.map(({ nodeId }) => keyOf(nodeId));
}

/** The undo of the last change of these rows; undefined where the table has no history that allows it. */
export async function undoOf(relation: Relation, keys: readonly string[]): Promise<Undo | undefined> {
  if (relation.versionedSince === undefined || keys.length === 0 || keys.length > MOST_UNDONE) return undefined;
  const last = (await readVersions(relation, keys[0]!)).at(-1);
  return last && { keys, at: last.valid_until ?? last.valid_from };
}

/** Undoes a change. Throws where somebody has changed one of the rows since. */
export async function takeBack(relation: Relation, { keys, at }: Undo): Promise<void> {
  const query = { from: at, limit: String(MOST_UNDONE) };
  const later = await answer(rest.GET("/schemas/{schema}/tables/{table}/diff", { params: { path: relation, query } }));
  const own = new Set(keys);
  const changed = later.filter(({ key }) => own.has(key)).length;
  if (changed > 0)
    throw new Error(
      t("Somebody has changed {changed} of them since. History shows the changes, and restores rows.", { changed }),
    );
  await restore(relation, keys, justBefore(at));
}

/** The instant a microsecond earlier. Instants of the service have at most six decimals. */
function justBefore(instant: string): string {
  const [, , digits = ""] = /^(.*?)\.(\d+)/.exec(instant) ?? [];
  const microseconds = BigInt(Date.parse(instant)) * 1000n + BigInt(digits.padEnd(6, "0").slice(3)) - 1n;
  const text = new Date(Number(microseconds / 1000n)).toISOString();
  return text.replace("Z", `${String(microseconds % 1000n).padStart(3, "0")}Z`);
}
