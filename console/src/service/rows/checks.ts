/** The check constraints of a table for each column: the values of a list, or else the condition. */
import type { Constraint } from "../tables/schemas.ts";
import type { Column } from "./relations.ts";

/** `CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))` */
const LIST = /= ANY \(+ARRAY\[(.*)\]\)*(::[\w ]+\[\])?\)*$/s;
const ITEM = /'((?:[^']|'')*)'::(?:[\w ]+|"[^"]+")/g;

/** The column, as a choice if a check lists its values. */
export function withChoices(column: Column, constraints: readonly Constraint[]): Column {
  if (column.values ?? column.reference) return column;
  const list = checksOf(column, constraints).flatMap(({ definition }) => LIST.exec(definition)?.[1] ?? [])[0];
  if (list === undefined) return column;
  const values = [...list.matchAll(ITEM)].map(([, text = ""]) => text.replaceAll("''", "'"));
  return values.length === 0 ? column : { ...column, values };
}

/** The conditions as texts, without those that are choices. */
export function conditionsOf(column: Column, constraints: readonly Constraint[]): readonly string[] {
  return checksOf(column, constraints)
    .filter(({ definition }) => !LIST.test(definition))
    .map(({ definition }) => definition.replace(/^CHECK \(\((.*)\)\)$/s, "$1"));
}

function checksOf({ column }: Column, constraints: readonly Constraint[]): readonly Constraint[] {
  return constraints.filter(({ kind, columns }) => kind === "check" && columns.length === 1 && columns[0] === column);
}
