/** The form in which files are read: rows by portions, each cell with the place of its row for messages. */
import type { Shape } from "./geometryShape.ts";
import { badInput } from "../ground/errors.ts";

/** A text, or a value of JSON; null is NULL. */
export type Cell = unknown;

export interface Portion {
  /** The names of the columns in the file. Those of GeoJSON may differ from portion to portion. */
  readonly names: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** For each row, the number of its line, feature or row in the file, from 1. */
  readonly places: readonly number[];
  /** Types that the file states for its columns: PostgreSQL's names, or the kind of geometries. */
  readonly types?: ReadonlyMap<string, string | Shape>;
  /** Text between rows that is not a row, while the rest of the file can be read. */
  readonly faults?: readonly Fault[];
}

export interface Fault {
  readonly place: number;
  /** `BAD_USER_INPUT`, without the place. */
  readonly error: unknown;
}

/** The result of `read`, or undefined after its error was added to `faults`. */
export function tried<Value>(place: number, faults: Fault[], read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    faults.push({ place, error });
    return undefined;
  }
}

export interface Source {
  /** The things that a place counts, such as lines. */
  readonly unit: "line" | "feature" | "row";
  /** Columns that are ignored if the table has none of that name, such as the id of a feature. */
  readonly optional: ReadonlySet<string>;
  /** Reads on when the next portion is requested. Throws `BAD_USER_INPUT` for a file of another format. */
  readonly portions: AsyncIterable<Portion>;
}

/** Rows of a portion unless fewer are asked for. Each portion is one statement, whose statement triggers fire once. */
export const ROWS_OF_PORTION = 2000;
export const CHARACTERS_OF_PORTION = 4_000_000;
/** The most characters of one row. A longer row probably has a quote or bracket that is not closed. */
export const LONGEST_ROW = 16_000_000;
/** The deepest nesting of JSON. Code that reads the values recurses by level. */
export const MOST_LEVELS = 64;
/** Columns of a file: some more than a table of PostgreSQL can have. */
const MOST_COLUMNS = 2000;

/** Throws `BAD_USER_INPUT` for more columns than any table has, because each is searched among all. */
export function checkWidth(columns: { readonly length: number }, place: string): void {
  if (columns.length > MOST_COLUMNS) badInput(`${place}: a file may have ${MOST_COLUMNS} columns at most`);
}
