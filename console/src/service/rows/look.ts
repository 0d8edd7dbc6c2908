/** The columns of a grid, their order and widths. Missing settings are those of the table. */
import type { Column } from "./relations.ts";

/** The settings of columns by their names. */
export interface Look {
  /** The columns that come first, in this order. */
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  /** The columns that stay visible at the left. */
  readonly pinned?: readonly string[];
  /** The widths in pixels. */
  readonly widths?: Readonly<Record<string, number>>;
}

export const WIDTH = 176;
export const NARROWEST = 48;
export const WIDEST = 1200;

export interface ShownColumn {
  readonly column: Column;
  readonly width: number;
  readonly isPinned: boolean;
}

/** The visible columns, pinned ones first. `widths`: the default widths of columns, in pixels. */
export function arrange(
  columns: readonly Column[],
  look: Look = {},
  widths: ReadonlyMap<string, number> = new Map(),
): readonly ShownColumn[] {
  const hidden = new Set(look.hidden);
  const pinned = new Set(look.pinned);
  const shown = ordered(columns, look).filter(({ name }) => !hidden.has(name));
  return [...shown.filter(({ name }) => pinned.has(name)), ...shown.filter(({ name }) => !pinned.has(name))].map(
    (column) => ({
      column,
      width: Math.min(WIDEST, Math.max(NARROWEST, look.widths?.[column.name] ?? widths.get(column.name) ?? WIDTH)),
      isPinned: pinned.has(column.name),
    }),
  );
}

/** All columns in order, including hidden ones. */
export function ordered(columns: readonly Column[], { order = [] }: Look): readonly Column[] {
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = ({ name }: Column): number => places.get(name) ?? order.length;
  return columns.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The settings in the address; undefined where they are invalid or empty. */
export function readLook(value: unknown): Look | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { order, hidden, pinned, widths } = value as Record<string, unknown>;
  const look = {
    ...(isNames(order) && { order }),
    ...(isNames(hidden) && { hidden }),
    ...(isNames(pinned) && { pinned }),
    ...(isWidths(widths) && { widths }),
  };
  return Object.keys(look).length > 0 ? look : undefined;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
}

function isWidths(value: unknown): value is Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const widths = Object.values(value);
  return widths.length > 0 && widths.every((width) => typeof width === "number" && Number.isFinite(width));
}
