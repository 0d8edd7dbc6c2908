/** Find and replace in the texts of a table. */
import type { Replaced, Replacement } from "../http/openapi.ts";
import { answer, rest } from "../http/rest.ts";
import type { Column, Relation } from "./relations.ts";

export type { Replaced, Replacement };

const REPLACE = "/schemas/{schema}/tables/{table}/rows/replace";

/** The columns of text that the account may read and write. */
export function textColumnsOf({ columns }: Relation): readonly Column[] {
  return columns.filter(
    ({ sqlType, canUpdate }) => canUpdate && /^(text|character( varying)?|(\w+\.)?citext)\b(?!.*\[\]$)/.test(sqlType),
  );
}

/** What a replacement would do. */
export function previewReplacement(relation: Relation, replacement: Replacement): Promise<Replaced> {
  return answer(rest.POST(REPLACE, { params: { path: relation, query: { dry: "true" } }, body: replacement }));
}

/** Replaces in all rows or none, and only if they are as the preview has shown them. Throws `CONFLICT`. */
export function replaceTexts(relation: Relation, replacement: Replacement, { version }: Replaced): Promise<Replaced> {
  return answer(rest.POST(REPLACE, { params: { path: relation }, body: { ...replacement, version } }));
}
