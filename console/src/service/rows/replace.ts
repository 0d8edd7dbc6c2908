/** Find and replace in the texts of a table. */
import type { Replaced, Replacement } from "../http/openapi.ts";
import { send, tablePath } from "../http/rest.ts";
import type { Column, Relation } from "./relations.ts";

export type { Replaced, Replacement };

/** The columns of text that the account may read and write. */
export function textColumnsOf({ columns }: Relation): readonly Column[] {
  return columns.filter(
    ({ sqlType, canUpdate }) => canUpdate && /^(text|character( varying)?|(\w+\.)?citext)\b(?!.*\[\]$)/.test(sqlType),
  );
}

/** What a replacement would do. */
export function previewReplacement(relation: Relation, replacement: Replacement): Promise<Replaced> {
  return send("POST", `${tablePath(relation)}/rows/replace?dry=true`, replacement);
}

/** Replaces in all rows or none, and only if they are as the preview has shown them. Throws `CONFLICT`. */
export function replaceTexts(relation: Relation, replacement: Replacement, { version }: Replaced): Promise<Replaced> {
  return send("POST", `${tablePath(relation)}/rows/replace`, { ...replacement, version });
}
