/** Writes many cells of many rows at once, each with its own value, and can undo that. */
import { graphql } from "../http/ask.ts";
import type { Relation } from "./relations.ts";
import { keyOf, ofConflict, type Row, type Value } from "./rows.ts";
import { t } from "../../words/words.ts";

export interface RowChange {
  readonly row: Row;
  /** The values by column name. */
  readonly values: Readonly<Record<string, Value>>;
}

/**
 * Writes all cells or none, and none if somebody else has written to a row. Returns the changes that undo it, without
 * those of values that a trigger left unchanged.
 */
export async function writeCells(
  { schema, type }: Relation,
  changes: readonly RowChange[],
): Promise<readonly RowChange[]> {
  const objects = changes.map(({ row, values }) => ({ id: row.key, data: values, ifMatch: row.version }));
  const { rows } = await graphql<{ readonly rows: readonly { readonly nodeId: string; readonly _version: string }[] }>(
    schema,
    `mutation ($objects: [JSON]) { rows: update${type}(objects: $objects) { nodeId _version } }`,
    { objects },
    { tell: (message) => inWords(message, changes), mayBeLarge: changes.length === 1 },
  );
  const now = rows.map(({ nodeId, _version }) => ({ key: keyOf(nodeId), version: _version }));
  const isWritten = ({ row }: RowChange): boolean => now.some(({ key }) => key === row.key);
  const written = now.length === changes.length ? changes : changes.filter(isWritten);
  return written.map(({ row, values }, index) => ({
    row: { ...row, ...now[index]! }, // the key may be another one now
    values: Object.fromEntries(Object.keys(values).map((name) => [name, row.values[name]])),
  }));
}

/** The message with the row's key. The service names a row by its place among the written ones. */
function inWords(message: string, changes: readonly RowChange[]): string {
  const [, place, what = ""] = /^objects\.(\d+): (.*)$/s.exec(message) ?? [];
  const refused = changes[Number(place)];
  if (!refused) return message;
  return t("Row {key}, {columns}: {message}", {
    key: refused.row.key,
    columns: Object.keys(refused.values).join(", "),
    message: ofConflict(what),
  });
}
