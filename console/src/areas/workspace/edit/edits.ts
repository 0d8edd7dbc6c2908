/** Unsaved changes to the rows of a layer. Each state is a separate value, so that it can be undone. */
import type { Row, Value } from "../../../service/rows/rows.ts";

/** A GeoJSON geometry in degrees. */
export type Shape = Readonly<{ type: string; coordinates: unknown }>;

export interface Edit {
  /** Undefined for a new row. */
  readonly row: Row | undefined;
  readonly isRemoved: boolean;
  /** Undefined where the shape is unchanged. */
  readonly shape: Shape | undefined;
  /** Changed values by the names of columns, as typed; null is null. */
  readonly given: Readonly<Record<string, string | null>>;
  /** Values that a new row takes from another row. */
  readonly copied?: Readonly<Record<string, Value>>;
}

/** The edits, by the key of the row, or by a temporary id of a new row. */
export type Edits = ReadonlyMap<string, Edit>;

export const NO_EDITS: Edits = new Map();

/** The prefix of the ids of new rows, which no key has. */
const NEW = "\u0000new ";
let last = 0;

/** An id for a new row. It also differs from those that this window gave before a reload. */
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

/** Removes a row. A new row that is removed leaves no edit. */
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
  /** The thing that the last change was about. */
  readonly what?: string | undefined;
}

/** A history that begins with edits, which can be undone. */
export function pastOf(edits: Edits): Past {
  return edits.size === 0 ? { states: [NO_EDITS], at: 0 } : { states: [NO_EDITS, edits], at: 1 };
}

export function editsOf({ states, at }: Past): Edits {
  return states[at]!;
}

/** Adds a state, and forgets the undone ones. `what`: successive changes of the same thing, such as a text, are one state. */
export function changed(past: Past, next: Edits, what?: string): Past {
  const at = what !== undefined && what === past.what ? past.at : past.at + 1;
  return { states: [...past.states.slice(0, at), next], at, what };
}

/** Moves in the history. `by`: -1 undoes, 1 redoes. */
export function moved(past: Past, by: 1 | -1): Past {
  const at = past.at + by;
  return at < 0 || at >= past.states.length ? past : { states: past.states, at };
}

/** The history with a state that lacks the changes of these rows. */
export function without(past: Past, ids: readonly string[]): Past {
  return changed(past, new Map([...editsOf(past)].filter(([id]) => !ids.includes(id))));
}
