/** What somebody has changed of the rows of a layer and not saved yet. Each state is a value of its own, so that it can be undone. */
import type { Row, Value } from "../../../service/rows/rows.ts";

/** A geometry of GeoJSON in degrees. */
export type Shape = Readonly<{ type: string; coordinates: unknown }>;

export interface Edit {
  /** Undefined: a new row. */
  readonly row: Row | undefined;
  readonly isRemoved: boolean;
  /** Undefined: as it was. */
  readonly shape: Shape | undefined;
  /** Changed values by the names of columns, as typed; null is null. */
  readonly given: Readonly<Record<string, string | null>>;
  /** Values that a new row has from another one. */
  readonly copied?: Readonly<Record<string, Value>>;
}

/** By the key of the row, or a name of its own that new rows have. */
export type Edits = ReadonlyMap<string, Edit>;

export const NO_EDITS: Edits = new Map();

/** Keys of rows are none like this. */
const NEW = "\u0000new ";
let last = 0;

/** Also unlike those of this window before it was loaded again. */
export function newId(): string {
  return `${NEW}${Date.now()} ${++last}`;
}

export function isNew(id: string): boolean {
  return id.startsWith(NEW);
}

export function withEdit(edits: Edits, id: string, row: Row | undefined, change: Partial<Edit>): Edits {
  const before: Edit = edits.get(id) ?? { row, isRemoved: false, shape: undefined, given: {} };
  return new Map(edits).set(id, { ...before, ...change });
}

/** A new row that is removed is none. */
export function withoutRow(edits: Edits, id: string, row: Row | undefined): Edits {
  if (row) return withEdit(edits, id, row, { isRemoved: true });
  const after = new Map(edits);
  after.delete(id);
  return after;
}

/** The whole history, with the place in it. */
export interface Past {
  readonly states: readonly Edits[];
  readonly at: number;
}

export const NO_PAST: Past = { states: [NO_EDITS], at: 0 };

export function editsOf({ states, at }: Past): Edits {
  return states[at]!;
}

/** What was undone before is forgotten. */
export function changed({ states, at }: Past, next: Edits): Past {
  return { states: [...states.slice(0, at + 1), next], at: at + 1 };
}

/** `by`: -1 undoes, 1 does again. */
export function moved(past: Past, by: 1 | -1): Past {
  const at = past.at + by;
  return at < 0 || at >= past.states.length ? past : { ...past, at };
}

/** The same with each row in its present version, as somebody else has left it: they are written over it. */
export function rebased({ states, at }: Past, rows: ReadonlyMap<string, Row>): Past {
  const rebase = (edits: Edits): Edits =>
    new Map([...edits].map(([id, edit]) => [id, { ...edit, row: edit.row && (rows.get(id) ?? edit.row) }]));
  return { states: states.map(rebase), at };
}

/** Without what was changed of these rows. */
export function without(past: Past, ids: readonly string[]): Past {
  return changed(past, new Map([...editsOf(past)].filter(([id]) => !ids.includes(id))));
}
