/** Edits that the tools for whole shapes make. */
import type { Row } from "../../../service/rows/rows.ts";
import type { EditedTable } from "./editRows.ts";
import { newId, withEdit, withoutRow, type Edits, type Shape } from "./edits.ts";
import { cut, joined } from "./operations.ts";
import { t } from "../../../words/words.ts";

/** The chosen rows, and the shapes on the map. */
export interface ChosenRows {
  readonly table: EditedTable;
  readonly edits: Edits;
  readonly chosen: readonly string[];
  readonly shapes: ReadonlyMap<string, Shape>;
  rowOf(id: string): Row | undefined;
}

/**
 * Splits the chosen shapes. The largest part keeps its row, and the others become new rows with its values. Throws
 * where the line crosses none.
 */
export async function splitRows(rows: ChosenRows, blade: Shape): Promise<Edits> {
  const { edits, chosen, shapes, rowOf } = rows;
  let next = edits;
  for (const id of chosen) {
    const shape = shapes.get(id);
    const [first, ...others] = shape ? await cut(shape, blade) : [];
    if (!first || others.length === 0) continue;
    next = withEdit(next, id, rowOf(id), { shape: first });
    const given = edits.get(id)?.given ?? {};
    for (const other of others)
      next = withEdit(next, newId(), undefined, { shape: other, copied: copyOf(rows, id), given });
  }
  if (next === edits) throw new Error(t("The line crosses none of the chosen shapes from edge to edge."));
  return next;
}

/** Merges the chosen rows. The first one gets the joined shape, and the others are removed. */
export async function mergeRows({ edits, chosen, shapes, rowOf }: ChosenRows): Promise<Edits> {
  const [first, ...others] = chosen;
  const whole = await joined(chosen.flatMap((id) => shapes.get(id) ?? []));
  let next = withEdit(edits, first!, rowOf(first!), { shape: whole });
  for (const id of others) next = withoutRow(next, id, rowOf(id));
  return next;
}

export function removeRows({ edits, chosen, rowOf }: ChosenRows): Edits {
  let next = edits;
  for (const id of chosen) next = withoutRow(next, id, rowOf(id));
  return next;
}

/** The values that a part copies from its row: all but its key and its shape. */
function copyOf(
  { table: { relation, column }, edits, rowOf }: ChosenRows,
  id: string,
): Readonly<Record<string, unknown>> {
  const values = rowOf(id)?.values ?? {};
  const own = new Set([column.name, ...relation.key.map(({ name }) => name)]);
  const names = relation.insertColumns.map(({ name }) => name).filter((name) => !own.has(name) && name in values);
  return { ...edits.get(id)?.copied, ...Object.fromEntries(names.map((name) => [name, values[name]])) };
}
