/** The content of a view: the column that names the rows, and the columns that each kind of view can use. */
import { titleOf } from "../../../service/rows/references.ts";
import { isGroup } from "../../../service/rows/lanes.ts";
import { arrange, type Look } from "../../../service/rows/look.ts";
import type { Column, Relation } from "../../../service/rows/relations.ts";
import type { Row, Value } from "../../../service/rows/rows.ts";
import { isGeometry } from "../../../service/rows/isGeometry.ts";
import { shorten, show } from "../../../service/rows/values.ts";
import { KINDS, type Fields, type Kind } from "../../../service/rows/viewSearch.ts";
import type { Titles } from "../../../ui/grid/GridRow.tsx";
import { t } from "../../../words/words.ts";

const isDay = ({ sqlType }: Column): boolean => /^(date|timestamp)\b/.test(sqlType) && !sqlType.endsWith("[]");

/** The columns that may be chosen for a field. */
export function columnsFor(field: keyof Fields, { columns }: Relation): readonly Column[] {
  if (field === "date" || field === "until") return columns.filter(isDay);
  if (field === "group") return columns.filter(isGroup);
  if (field === "geometry") return columns.filter(isGeometry);
  return columns.filter((column) => !isGeometry(column));
}

const NEEDS: Readonly<Partial<Record<Kind, keyof Fields>>> = { calendar: "date", kanban: "group", map: "geometry" };

/** The kinds of views that fit a table. */
export function kindsOf(relation: Relation): readonly Kind[] {
  return KINDS.filter((kind) => NEEDS[kind] === undefined || columnsFor(NEEDS[kind], relation).length > 0);
}

/** The fields of a kind of view with their columns: the chosen one, or else the first that fits. */
export function fieldsOf(
  kind: Kind,
  relation: Relation,
  given: Fields = {},
): Readonly<Partial<Record<keyof Fields, Column>>> {
  const of = (field: keyof Fields): Column | undefined =>
    columnsFor(field, relation).find(({ name }) => name === given[field]);
  const needed = NEEDS[kind];
  const first = needed && (of(needed) ?? bestOf(needed, relation));
  const until = kind === "calendar" ? of("until") : undefined;
  const label = of("label") ?? titleOf(relation.columns, relation.key[0]) ?? relation.key[0] ?? relation.columns[0];
  return { ...(label && { label }), ...(needed && first && { [needed]: first }), ...(until && { until }) };
}

/** The best column for a field. For a kanban board: one with a list of values, then a foreign key, then any. */
function bestOf(field: keyof Fields, relation: Relation): Column | undefined {
  const columns = columnsFor(field, relation);
  return columns.find(({ values }) => values) ?? columns.find(({ reference }) => reference) ?? columns[0];
}

const LONGEST = 80;

/** The text of a value: the name of the referenced row for a foreign key, otherwise the value. */
export function textOf(column: Column, value: Value, titles: Titles): string {
  if (value === null || value === undefined) return "null";
  return shorten(titles.get(column.name)?.get(String(value)) ?? show(value), LONGEST);
}

export function labelOf(column: Column | undefined, row: Row, titles: Titles): string {
  const value = column && row.values[column.name];
  if (!column || value === null || value === undefined || value === "") return row.key ?? t("a row");
  return textOf(column, value, titles);
}

/** The columns other than the label, in the order of the view and without hidden ones. */
export function othersOf(relation: Relation, look: Look | undefined, label: Column | undefined): readonly Column[] {
  return arrange(relation.columns, look)
    .map(({ column }) => column)
    .filter((column) => column !== label);
}
