/** Reads comma-separated values (RFC 4180), also with tabs, semicolons or bars in place of commas. */
import { badInput } from "../../ground/errors.ts";
import {
  CHARACTERS_OF_PORTION,
  checkWidth,
  LONGEST_ROW,
  ROWS_OF_PORTION,
  tried,
  type Fault,
  type Portion,
  type Source,
} from "../source.ts";
import { decoded } from "../text.ts";

export interface CsvOptions {
  /** Default: the most frequent in the first line of comma, semicolon, tab and bar. */
  readonly delimiter?: string | undefined;
  /** The unquoted text for NULL. Default: the empty text. */
  readonly null?: string | undefined;
  readonly encoding: string;
  /** Default `ROWS_OF_PORTION`. */
  readonly portion?: number | undefined;
}

interface Record {
  readonly line: number;
  readonly cells: (string | null)[];
}

export function csvSource(bytes: AsyncIterable<Uint8Array>, { encoding, ...options }: CsvOptions): Source {
  return { unit: "line", optional: new Set(), portions: portionsOf(decoded(bytes, encoding), options) };
}

/** The first row has the names. An empty line is no row. */
async function* portionsOf(
  texts: AsyncIterable<string>,
  { portion = ROWS_OF_PORTION, ...options }: Omit<CsvOptions, "encoding">,
): AsyncGenerator<Portion> {
  const records = new Records(options);
  let names: readonly string[] | undefined;
  let rows: (string | null)[][] = [];
  let places: number[] = [];
  let faults: Fault[] = [];
  let characters = 0;
  const take = ({ line, cells }: Record): void => {
    if (!names) names = headerOf(cells);
    else if (tried(line, faults, () => checkCount(cells, names!))) {
      rows.push(cells);
      places.push(line);
    }
  };
  const flush = (): Portion => {
    const flushed = { names: names!, rows, places, faults };
    [rows, places, faults, characters] = [[], [], [], 0];
    return flushed;
  };
  const isAny = (): boolean => rows.length + faults.length > 0;
  try {
    for await (const text of texts) {
      characters += text.length;
      for (const record of records.push(text)) {
        take(record);
        if (rows.length + faults.length >= portion) yield flush();
      }
      if (characters >= CHARACTERS_OF_PORTION && isAny()) yield flush();
    }
    for (const record of records.end()) take(record);
  } catch (error) {
    if (isAny()) yield flush(); // also reports other faults of these rows
    throw error;
  }
  if (!names) return badInput("line 1: the file is empty: it must name the columns");
  if (isAny()) yield flush();
}

function checkCount(cells: readonly unknown[], names: readonly string[]): true {
  if (cells.length === names.length) return true;
  return badInput(`has ${cells.length} values, where the first line names ${names.length} columns`);
}

function headerOf(cells: readonly (string | null)[]): readonly string[] {
  const names = cells.map((cell) => (cell ?? "").trim());
  const nameless = names.indexOf("");
  if (nameless >= 0) badInput(`line 1: column ${nameless + 1} has no name`);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) badInput(`line 1: names the column ${JSON.stringify(twice)} twice`);
  return names;
}

const DELIMITERS = [",", ";", "\t", "|"];
const [LF, CR] = [10, 13];

function guessDelimiter(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** Cuts text, in pieces of any size, into records. */
class Records {
  readonly #null: string;
  #delimiter: string | undefined;
  /** A run without delimiters, line ends and quotes. */
  #bare = /(?:)/y;
  #text = "";
  /** A record whose end has not arrived is read again from its beginning when this much more has come. */
  #enough = 0;
  #at = 0;
  #line = 1;
  #isEnd = false;

  constructor({ delimiter, null: nothing = "" }: Omit<CsvOptions, "encoding">) {
    if (delimiter !== undefined) this.#setDelimiter(delimiter);
    this.#null = nothing;
  }

  *push(text: string): Generator<Record> {
    this.#text += text;
    if (this.#text.length < this.#enough) return;
    yield* this.#cut();
    if (this.#text.length > LONGEST_ROW)
      badInput(`line ${this.#line}: is longer than ${LONGEST_ROW} characters: is there a quote that is not closed?`);
    this.#enough = Math.min(2 * this.#text.length, LONGEST_ROW + 1);
  }

  *end(): Generator<Record> {
    this.#isEnd = true;
    yield* this.#cut();
  }

  #setDelimiter(delimiter: string): void {
    this.#delimiter = delimiter;
    this.#bare = new RegExp(
      `[^\r\n${delimiter === "\\" || delimiter === "]" || delimiter === "^" ? "\\" : ""}${delimiter}]*`,
      "y",
    );
  }

  *#cut(): Generator<Record> {
    if (this.#delimiter === undefined) {
      const end = this.#text.search(/[\r\n]/);
      if (end < 0 && !this.#isEnd) return;
      this.#setDelimiter(guessDelimiter(end < 0 ? this.#text : this.#text.slice(0, end)));
    }
    let start = 0;
    for (this.#at = 0; start < this.#text.length; start = this.#at) {
      const cells = this.#record();
      if (!cells) break;
      const line = this.#line;
      for (let at = start; at < this.#at; at++) if (this.#isLineEnd(at)) this.#line++;
      if (cells.length > 1 || this.#at - start > 2 || !/^\r?\n?$/.test(this.#text.slice(start, this.#at)))
        yield { line, cells };
    }
    this.#text = this.#text.slice(start);
  }

  #isLineEnd(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === LF || (code === CR && this.#text.charCodeAt(at + 1) !== LF);
  }

  /** The cells of the record at `#at`, which then moves to its end; undefined where the rest of it has not come yet. */
  #record(): (string | null)[] | undefined {
    const cells: (string | null)[] = [];
    for (;;) {
      const cell = this.#text[this.#at] === '"' ? this.#quoted() : this.#plain();
      if (cell === undefined) return undefined;
      cells.push(cell);
      checkWidth(cells, `line ${this.#line}`);
      const next = this.#text[this.#at];
      if (next === undefined) return this.#isEnd ? cells : undefined;
      this.#at++;
      if (next === this.#delimiter) continue;
      if (next !== "\r") return cells;
      if (this.#at === this.#text.length && !this.#isEnd) return undefined;
      if (this.#text[this.#at] === "\n") this.#at++;
      return cells;
    }
  }

  #plain(): string | null {
    this.#bare.lastIndex = this.#at;
    const [text = ""] = this.#bare.exec(this.#text) ?? [];
    this.#at += text.length;
    return text === this.#null ? null : text;
  }

  #quoted(): string | undefined {
    let value = "";
    for (let from = this.#at + 1; ;) {
      const quote = this.#text.indexOf('"', from);
      if (quote < 0) return this.#isEnd ? badInput(`line ${this.#line}: a quote is not closed`) : undefined;
      value += this.#text.slice(from, quote);
      const next = this.#text[quote + 1];
      if (next === undefined && !this.#isEnd) return undefined;
      this.#at = quote + 1;
      if (next !== '"') break;
      value += '"';
      from = quote + 2;
    }
    const next = this.#text[this.#at];
    if (next !== undefined && next !== this.#delimiter && next !== "\r" && next !== "\n")
      badInput(`line ${this.#line}: has text after the quote that closes a value`);
    return value;
  }
}
