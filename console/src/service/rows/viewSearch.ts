/** The form in which the rows of a table are shown, as the address has it. */
import { readGridSearch, type GridSearch } from "./gridSearch.ts";

export const KINDS = ["grid", "form", "cards", "calendar", "kanban", "map"] as const;
export type Kind = (typeof KINDS)[number];

/** The columns that a kind of view needs, by their names. */
export interface Fields {
  readonly label?: string;
  readonly date?: string;
  readonly until?: string;
  readonly group?: string;
  readonly geometry?: string;
}

export const FIELDS = ["label", "date", "until", "group", "geometry"] as const;

export interface ViewSearch extends GridSearch {
  /** The name of the open saved view. */
  readonly view?: string;
  /** The kind of view. Default: a grid. */
  readonly as?: Exclude<Kind, "grid">;
  readonly fields?: Fields;
  /** The month of a calendar, e.g. `2026-11`. */
  readonly month?: string;
  /** The index of the row in a form, or of the first one on a page of cards, from 0. */
  readonly place?: number;
}

export function readViewSearch(search: Record<string, unknown>): ViewSearch {
  const { view, as, month, place } = search;
  const kind = KINDS.find((each) => each === as);
  const fields = readFields(search["fields"]);
  return {
    ...readGridSearch(search),
    ...(typeof view === "string" && { view }),
    ...(kind && kind !== "grid" && { as: kind }),
    ...(fields && { fields }),
    ...(typeof month === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && { month }),
    ...(typeof place === "number" && Number.isInteger(place) && place > 0 && { place }),
  };
}

function readFields(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const fields = Object.fromEntries(
    FIELDS.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]] as const] : [])),
  );
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** The address with another kind of view, without the settings of the previous one. */
export function withKind(
  { as: _as, fields, month: _month, place: _place, ...others }: ViewSearch,
  kind: Kind,
  given: Fields = {},
): ViewSearch {
  const all = { ...fields, ...given };
  return { ...others, ...(kind !== "grid" && { as: kind }), ...(Object.keys(all).length > 0 && { fields: all }) };
}
