/** Settles whether edits have been saved whose answer has been lost, and edits that meet another writer. */
import { ServiceError } from "../../../service/http/ask.ts";
import type { Row } from "../../../service/rows/rows.ts";
import { toText } from "../../../service/rows/values.ts";
import { dataOf, rowsNow, rowsWithin, type EditedTable } from "./editRows.ts";
import { isNew, newId, type Edit, type Edits, type Shape } from "./edits.ts";
import type { Sent } from "./keptEdits.ts";

/** Answers of a proxy whose service has not answered it. */
const LOST = new Set(["UNREACHABLE", "502", "503", "504"]);

/** Whether an error leaves it open that the service has written. */
export function isLost(error: unknown): boolean {
  return error instanceof ServiceError && LOST.has(error.code);
}

/** Longer than any answer takes here. */
const PATIENCE_MS = 60_000;
/** The largest difference of a written position, in degrees: the service converts it to the table's system and back. */
const TOLERANCE = 1e-7;

/** Rows by the ids of the edits that they come from. */
export type Found = ReadonlyMap<string, Row>;

/**
 * The rows that the sent edits have become, by the ids of the edits; undefined where the edits were not written. They
 * were written together, so one that was not written means that none was.
 */
export async function settled(table: EditedTable, { edits, known }: Sent): Promise<Found | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = new Map<string, Row>();
  const now = await rowsNow(
    table,
    [...edits.values()].flatMap(({ row }) => row ?? []),
    signal,
  );
  let isWritten = false;
  for (const [id, edit] of edits) {
    const row = edit.row ? now.get(id) : await insertedRow(table, edit, new Set([...known, ...keysOf(found)]), signal);
    if (row && edit.row && row.version === edit.row.version) return undefined;
    if (!row && !edit.row) return undefined;
    if (row) found.set(id, row);
    isWritten ||= edit.row === undefined || (edit.isRemoved ? !row : row !== undefined && hasValues(table, edit, row));
  }
  return isWritten ? found : undefined;
}

function keysOf(rows: ReadonlyMap<string, Row>): readonly string[] {
  return [...rows.values()].map(({ key }) => key!);
}

/** A row with the shape of an edit that was not there before. */
async function insertedRow(
  table: EditedTable,
  edit: Edit,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const shape = dataOf(table, edit)[table.column.name] as Shape | undefined;
  if (!shape) return undefined;
  const { rows } = await rowsWithin(table, boxOf(shape), signal);
  return rows.find(({ key, values }) => !known.has(key!) && isSameShape(values[table.column.name], shape));
}

function hasValues(table: EditedTable, edit: Edit, row: Row): boolean {
  return Object.entries(dataOf(table, edit)).every(([name, value]) =>
    name === table.column.name ? isSameShape(row.values[name], value) : toText(row.values[name]) === toText(value),
  );
}

function isSameShape(one: unknown, other: unknown): boolean {
  const [ones, others] = [one, other].map((shape) => (shape as Shape | null)?.coordinates);
  return ones !== undefined && others !== undefined && isNear(ones, others);
}

function isNear(one: unknown, other: unknown): boolean {
  if (typeof one === "number") return typeof other === "number" && Math.abs(one - other) <= TOLERANCE;
  return (
    Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((each, index) => isNear(each, other[index]))
  );
}

function boxOf(shape: Shape): readonly number[] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const grow = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part as readonly unknown[];
    if (typeof x !== "number" || typeof y !== "number") return part.forEach(grow);
    box[0] = Math.min(box[0], x - TOLERANCE);
    box[1] = Math.min(box[1], y - TOLERANCE);
    box[2] = Math.max(box[2], x + TOLERANCE);
    box[3] = Math.max(box[3], y + TOLERANCE);
  };
  grow(shape.coordinates);
  return box;
}

/** The edits that were made after others were sent, on the rows that the sent ones have become. */
export function remaining(edits: Edits, sent: Edits, rows: Found): Edits {
  const left = new Map<string, Edit>();
  for (const [id, edit] of edits) {
    if (JSON.stringify(edit) === JSON.stringify(sent.get(id))) continue;
    const row = rows.get(id);
    left.set(row?.key ?? id, row ? { ...edit, row } : edit);
  }
  return left;
}

/** The edits of keys on the present rows. An edit of a row that is gone becomes a new row, and its removal is done. */
export function overPresent(
  { relation, column }: EditedTable,
  edits: Edits,
  keys: ReadonlySet<string>,
  now: ReadonlyMap<string, Row>,
): Edits {
  const next = new Map<string, Edit>();
  for (const [id, edit] of edits) {
    const row = now.get(id);
    if (!keys.has(id) || isNew(id) || !edit.row) next.set(id, edit);
    else if (row) next.set(id, { ...edit, row });
    else if (!edit.isRemoved) {
      const { values } = edit.row;
      const names = relation.insertColumns.map(({ name }) => name).filter((name) => name in values);
      const copied = Object.fromEntries(names.map((name) => [name, values[name]]));
      next.set(newId(), { ...edit, row: undefined, copied, shape: edit.shape ?? (values[column.name] as Shape) });
    }
  }
  return next;
}
