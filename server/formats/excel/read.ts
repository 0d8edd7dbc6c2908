/** Reads a sheet of an Excel workbook (.xlsx, ECMA-376) row by row. The first row that has a value has the names. */
import { badInput } from "../../ground/errors.ts";
import { portionsOfCells, type Item } from "../portions.ts";
import { checkWidth, LONGEST_ROW, type Cell, type Portion, type Source } from "../source.ts";
import { spooled } from "../spooled.ts";
import { ZipReader } from "../zip.ts";
import { momentText } from "./moments.ts";
import { PartReader } from "./partReader.ts";
import { readTexts, readWorkbook, type Sheet, type Workbook } from "./workbook.ts";

export interface ExcelOptions {
  /** The name of the sheet. Default the first that is not hidden. */
  readonly layer: string | undefined;
  /** Of all parts that are read, decompressed. */
  readonly maxBytes: number;
  readonly portion: number | undefined;
}

export function excelSource(bytes: AsyncIterable<Uint8Array>, options: ExcelOptions): Source {
  return { unit: "row", optional: new Set(), portions: spooled(bytes, (path) => portionsOf(path, options)) };
}

async function* portionsOf(path: string, { layer, maxBytes, portion }: ExcelOptions): AsyncGenerator<Portion> {
  const zip = await ZipReader.open(path, maxBytes);
  try {
    const workbook = await readWorkbook(zip);
    const sheet = sheetOf(workbook, layer);
    const cells = new CellReader(workbook, workbook.texts === undefined ? [] : await readTexts(zip, workbook.texts));
    const rows = rowsOf(zip, sheet)[Symbol.asyncIterator]();
    try {
      let first: RawRow[] = [];
      while (first.length === 0) {
        const { done, value } = await rows.next();
        if (done) badInput(`the sheet ${JSON.stringify(sheet.name)} is empty`);
        first = value;
      }
      const head = cells.head(first[0]!);
      yield* portionsOfCells(itemsOf(first.slice(1), rows, head, cells), { names: [...head.keys()] }, portion);
    } finally {
      await rows.return?.(undefined);
    }
  } finally {
    zip.close();
  }
}

function sheetOf({ sheets }: Workbook, wanted: string | undefined): Sheet {
  const first = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  const found = wanted === undefined ? first : sheets.find(({ name }) => name === wanted);
  return (
    found ??
    badInput(
      `layer: choose one of the sheets ${
        sheets
          .slice(0, 50)
          .map(({ name }) => JSON.stringify(name))
          .join(", ") || "none"
      }`,
    )
  );
}

interface RawCell {
  /** `n` a number, `s` the number of a shared text, and so on (§18.18.11). */
  readonly kind: string;
  readonly style: number;
  readonly text: string;
}

interface RawRow {
  readonly place: number;
  /** By the number of the column, from 1; empty cells are left out. */
  readonly cells: ReadonlyMap<number, RawCell>;
}

const LETTERS = 26;
const BEFORE_A = 64;

/** `BC12` → 55. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - BEFORE_A;
    if (letter < 1 || letter > LETTERS) break;
    column = column * LETTERS + letter;
  }
  return column;
}

function letterOf(column: number): string {
  return column > 0
    ? letterOf(Math.floor((column - 1) / LETTERS)) + String.fromCharCode(BEFORE_A + 1 + ((column - 1) % LETTERS))
    : "";
}

/** Collects the rows of a sheet that have a value. */
class RowTaker {
  rows: RawRow[] = [];
  isEnd = false;
  #place = 0;
  #column = 0;
  #cells = new Map<number, RawCell>();
  #characters = 0;
  #kind = "n";
  #style = 0;
  #text = "";
  #aside = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "row") {
      const place = Number(attributes["r"] ?? this.#place + 1);
      if (!Number.isSafeInteger(place) || place <= this.#place)
        badInput(`row ${this.#place}: the next row has the number ${attributes["r"]}`);
      this.#place = place;
      this.#column = 0;
      this.#characters = 0;
      this.#cells = new Map();
    } else if (name === "c") {
      this.#column = attributes["r"] === undefined ? this.#column + 1 : columnOf(attributes["r"]);
      this.#kind = attributes["t"] ?? "n";
      this.#style = Number(attributes["s"] ?? 0);
      this.#text = "";
    } else if (name === "rPh") this.#aside++;
  }

  text(name: string, value: string): void {
    if (name === "v" || (name === "t" && this.#aside === 0)) this.#text += value;
  }

  close(name: string): void {
    if (name === "rPh") this.#aside--;
    else if (name === "c" && this.#text !== "") {
      this.#characters += this.#text.length;
      if (this.#characters > LONGEST_ROW) badInput(`row ${this.#place}: is longer than ${LONGEST_ROW} characters`);
      this.#cells.set(this.#column, { kind: this.#kind, style: this.#style, text: this.#text });
    } else if (name === "row" && this.#cells.size > 0) this.rows.push({ place: this.#place, cells: this.#cells });
    else if (name === "sheetData") this.isEnd = true;
  }
}

async function* rowsOf(zip: ZipReader, { path }: Sheet): AsyncGenerator<RawRow[]> {
  const taker = new RowTaker();
  for await (const _ of new PartReader(path, taker).read(zip.stream(path))) {
    if (taker.rows.length > 0) yield taker.rows;
    taker.rows = [];
    if (taker.isEnd) return;
  }
}

/** Names of columns, each with its number. */
type Head = ReadonlyMap<string, number>;

class CellReader {
  readonly #workbook: Workbook;
  readonly #texts: readonly string[];

  constructor(workbook: Workbook, texts: readonly string[]) {
    this.#workbook = workbook;
    this.#texts = texts;
  }

  head({ cells, place }: RawRow): Head {
    const head = new Map<string, number>();
    for (const [column, cell] of cells) {
      const name = this.text(cell)?.trim() ?? "";
      if (head.has(name)) badInput(`row ${place}: names the column ${JSON.stringify(name)} twice`);
      if (name !== "") head.set(name, column);
      checkWidth({ length: head.size }, `row ${place}`);
    }
    return head;
  }

  /** The cells of a row. Throws `BAD_USER_INPUT` for a value without a name, and for an error of Excel. */
  row({ cells }: RawRow, head: Head): readonly Cell[] {
    let count = 0;
    const row = [...head].map(([name, column]) => {
      const cell = cells.get(column);
      if (cell === undefined) return null;
      count++;
      try {
        return this.text(cell);
      } catch (error) {
        return badInput(`${name}: ${(error as Error).message}`);
      }
    });
    if (count < cells.size) {
      const known = new Set(head.values());
      const column = [...cells.keys()].find((each) => !known.has(each))!;
      badInput(`has a value in the column ${letterOf(column)}, which has no name in the first row`);
    }
    return row;
  }

  text({ kind, style, text }: RawCell): string | null {
    switch (kind) {
      case "s":
        return letters(this.#texts[Number(text)] ?? badInput(`the workbook has no shared text ${text}`));
      case "inlineStr":
      case "str":
        return letters(text);
      case "b":
        return text === "1" || text === "true" ? "true" : "false";
      case "e":
        return badInput(`has the error ${text}`);
      case "d":
        return text;
      default:
        return this.#number(text, style);
    }
  }

  /** With the digits that Excel shows: it writes 1.1 as 1.1000000000000001. */
  #number(text: string, style: number): string {
    const moment = this.#workbook.moments[style];
    const value = Number(text);
    if (!Number.isFinite(value)) badInput(`is not a number: ${JSON.stringify(text.slice(0, 100))}`);
    if (moment) return momentText(value, moment, this.#workbook.is1904);
    return /^-?\d+$/.test(text) ? text : String(value);
  }
}

/** `_x000A_` is a character by its code (§22.9.2.19). */
function letters(text: string): string | null {
  const whole = text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
  return whole === "" ? null : whole;
}

async function* itemsOf(
  first: readonly RawRow[],
  rows: AsyncIterator<RawRow[]>,
  head: Head,
  cells: CellReader,
): AsyncGenerator<Item<readonly Cell[]>[]> {
  const items = (some: readonly RawRow[]): Item<readonly Cell[]>[] =>
    some.map((row) => ({ place: row.place, read: () => cells.row(row, head) }));
  yield items(first);
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return;
    yield items(value);
  }
}
