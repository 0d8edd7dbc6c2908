/** Rows of a file, one after the other, as portions. */
import {
  CHARACTERS_OF_PORTION,
  checkWidth,
  ROWS_OF_PORTION,
  tried,
  type Cell,
  type Fault,
  type Portion,
} from "./source.ts";

/** A row that is read when it is needed: `read` throws the faults of this row. */
export interface Item<Row> {
  /** Its number in the file, from 1. */
  readonly place: number;
  read(): Row;
}

/** The parts of a portion other than places and faults. */
type Content = Pick<Portion, "names" | "rows" | "types">;

/** `isLarge`: about how many characters a row has. */
interface Kind<Row> {
  content(rows: readonly Row[], last: number): Content;
  size(row: Row): number;
}

/** `portion`: rows in one. A fault of the whole file is thrown after the rows before it. */
async function* portionsOf<Row>(
  items: AsyncIterable<Iterable<Item<Row>>>,
  { content, size }: Kind<Row>,
  portion: number = ROWS_OF_PORTION,
): AsyncGenerator<Portion> {
  let [rows, places, faults, characters, last] = [[] as Row[], [] as number[], [] as Fault[], 0, 0];
  const flush = (): Portion => {
    const flushed = { ...content(rows, last), places, faults };
    [rows, places, faults, characters] = [[], [], [], 0];
    return flushed;
  };
  const isAny = (): boolean => rows.length + faults.length > 0;
  try {
    for await (const some of items)
      for (const { place, read } of some) {
        last = place;
        const row = tried(place, faults, read);
        if (row !== undefined) {
          rows.push(row);
          places.push(place);
          characters += size(row);
        }
        if (rows.length + faults.length >= portion || characters >= CHARACTERS_OF_PORTION) yield flush();
      }
  } catch (error) {
    if (isAny()) yield flush();
    throw error;
  }
  if (isAny()) yield flush();
}

/** The length of a NULL in the text that is sent to PostgreSQL. */
const NULL_CHARACTERS = "NULL,".length;

function sizeOf(cell: Cell): number {
  if (cell === null || cell === undefined) return NULL_CHARACTERS;
  return typeof cell === "string" ? cell.length : JSON.stringify(cell).length;
}

/** Of a file whose rows all have the same columns. */
export function portionsOfCells(
  items: AsyncIterable<Iterable<Item<readonly Cell[]>>>,
  columns: Pick<Portion, "names" | "types">,
  portion?: number,
): AsyncGenerator<Portion> {
  const kind: Kind<readonly Cell[]> = {
    content: (rows) => ({ ...columns, rows }),
    size: (row) => row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0),
  };
  return portionsOf(items, kind, portion);
}

/** A row with the names of its columns, and about how many characters it has. */
export interface NamedCells {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly characters: number;
}

/** For a file in which each row names its columns: a portion has the columns of all its rows. `unit`: of a place. */
export function portionsOfNamed(
  items: AsyncIterable<Iterable<Item<NamedCells>>>,
  unit: string,
  portion?: number,
): AsyncGenerator<Portion> {
  const kind: Kind<NamedCells> = {
    content(rows, last) {
      const names = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))];
      checkWidth(names, `${unit} ${last}`);
      return { names, rows: rows.map(({ cells }) => names.map((name) => cells.get(name) ?? null)) };
    },
    size: ({ characters }) => characters,
  };
  return portionsOf(items, kind, portion);
}
