/** The table of a Shapefile: dBASE III and its later kinds, as GIS programs write them. */
import { withoutAtEnd } from "../../types/texts.ts";
import { badInput } from "../../ground/errors.ts";
import type { Incoming } from "../incoming.ts";
import { checkWidth } from "../source.ts";
import type { LanguageId, LetterReader } from "./letters.ts";

interface Field {
  readonly name: string;
  /** A letter. */
  readonly kind: string;
  readonly at: number;
  readonly bytes: number;
  /** The type of PostgreSQL that holds each of its values. */
  readonly type: string;
}

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const NAME_BYTES = 11;
const END_OF_FIELDS = 0x0d;
const DELETED = 0x2a;
const MOST_HEADER_BYTES = 65_535;

export class DbfReader {
  readonly #bytes: Incoming;
  readonly #letters: LetterReader;
  readonly #fields: readonly Field[];
  readonly #rowBytes: number;
  /** The number of rows that its head states. */
  readonly count: number;

  private constructor(bytes: Incoming, letters: LetterReader, header: Buffer) {
    this.#bytes = bytes;
    this.#letters = letters;
    this.count = header.readUInt32LE(4);
    this.#rowBytes = header.readUInt16LE(10);
    this.#fields = fieldsOf(header, letters);
    const end = this.#fields.at(-1);
    if (end && end.at + end.bytes > this.#rowBytes)
      badInput("the .dbf file is damaged: its columns are longer than its rows");
  }

  /** `lettersOf`: chooses its encoding by what the file itself says. Throws `BAD_USER_INPUT`. */
  static async open(bytes: Incoming, lettersOf: (language: LanguageId) => LetterReader): Promise<DbfReader> {
    if (!(await bytes.fill(HEADER_BYTES))) badInput("the .dbf file is shorter than its head");
    const headerBytes = bytes.peek(HEADER_BYTES).readUInt16LE(8);
    if (headerBytes <= HEADER_BYTES || headerBytes > MOST_HEADER_BYTES || !(await bytes.fill(headerBytes)))
      badInput("the .dbf file is not in dBASE format, or is damaged");
    const header = bytes.take(headerBytes);
    return new DbfReader(bytes, lettersOf(header[29]!), header);
  }

  get names(): readonly string[] {
    return this.#fields.map(({ name }) => name);
  }

  get types(): ReadonlyMap<string, string> {
    return new Map(this.#fields.map(({ name, type }) => [name, type]));
  }

  /** Waits for the next row. False where the file ends before. */
  fill(): Promise<boolean> {
    return this.#bytes.fill(this.#rowBytes);
  }

  get isHere(): boolean {
    return this.#bytes.here >= this.#rowBytes;
  }

  /** The next row, which must have arrived, for `cells` to read; undefined for a deleted one. */
  take(): Buffer | undefined {
    const row = this.#bytes.take(this.#rowBytes);
    return row[0] === DELETED ? undefined : row;
  }

  /** Throws `BAD_USER_INPUT`. */
  cells(row: Buffer): (string | null)[] {
    return this.#fields.map((field) => this.#cell(field, row.subarray(field.at, field.at + field.bytes)));
  }

  close(): Promise<void> {
    return this.#bytes.close();
  }

  #cell({ name, kind }: Field, bytes: Buffer): string | null {
    switch (kind) {
      case "N":
      case "F":
      case "D":
      case "L":
        return ofText(kind, bytes.toString("latin1").replaceAll("\0", " ").trim());
      case "I":
      case "+":
        return String(bytes.readInt32LE(0));
      case "B":
      case "O":
        return String(bytes.readDoubleLE(0));
      case "Y":
        return decimal(bytes.readBigInt64LE(0));
      case "T":
      case "@":
        return instant(bytes.readInt32LE(0), bytes.readInt32LE(4));
      default:
        return this.#letters.read(bytes, name);
    }
  }
}

/** Whether every whole number of this many digits fits the type. */
const [DIGITS_OF_INTEGER, DIGITS_OF_BIGINT] = [9, 18];
const BYTES = new Map([
  ["I", 4],
  ["+", 4],
  ["B", 8],
  ["O", 8],
  ["Y", 8],
  ["T", 8],
  ["@", 8],
]);
const TYPES = new Map([
  ["C", "text"],
  ["F", "double precision"],
  ["D", "date"],
  ["L", "boolean"],
  ["I", "integer"],
  ["+", "integer"],
  ["B", "double precision"],
  ["O", "double precision"],
  ["Y", "decimal"],
  ["T", "timestamp without time zone"],
  ["@", "timestamp without time zone"],
]);

function fieldsOf(header: Buffer, letters: LetterReader): readonly Field[] {
  const fields: Field[] = [];
  let at = 1; // behind the mark of deleted rows
  for (
    let from = HEADER_BYTES;
    from + FIELD_BYTES <= header.length && header[from] !== END_OF_FIELDS;
    from += FIELD_BYTES
  ) {
    const name = letters.name(header.subarray(from, from + NAME_BYTES));
    const kind = String.fromCharCode(header[from + NAME_BYTES]!);
    const [low, high] = [header[from + 16]!, header[from + 17]!];
    const bytes = kind === "C" ? low + 256 * high : low; // a long text has its length in both
    const type = kind === "N" ? typeOfNumber(low, high) : TYPES.get(kind);
    if (type === undefined)
      badInput(`the column ${JSON.stringify(name)} has the dBASE type ${JSON.stringify(kind)}, which is not supported`);
    if (BYTES.has(kind) && BYTES.get(kind) !== bytes)
      badInput(`the .dbf file is damaged: the column ${JSON.stringify(name)} has ${bytes} bytes`);
    fields.push({ name, kind, at, bytes, type });
    at += bytes;
    checkWidth(fields, "the .dbf file");
  }
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) badInput(`the .dbf file names the column ${JSON.stringify(twice)} twice`);
  if (names.includes("")) badInput("a column of the .dbf file has no name");
  return fields;
}

function typeOfNumber(digits: number, decimals: number): string {
  if (decimals > 0 || digits > DIGITS_OF_BIGINT) return "decimal";
  return digits > DIGITS_OF_INTEGER ? "bigint" : "integer";
}

/** Asterisks stand for a number that was too long for its column; zeros stand for no date. */
function ofText(kind: string, text: string): string | null {
  if (text === "" || /^[*?]+$/.test(text)) return null;
  if (kind === "L") return /^[ty]$/i.test(text) ? "true" : /^[fn]$/i.test(text) ? "false" : text;
  if (kind !== "D") return /\.\d*$/.test(text) ? withoutAtEnd(withoutAtEnd(text, "0"), ".") : text; // zeros fill its column
  if (/^0+$/.test(text)) return null;
  return text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
}

/** Four digits stand behind the point. */
function decimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(5, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

const JULIAN_DAY_OF_1970 = 2_440_588;
const DAY_MS = 86_400_000;

/** `day`: of the Julian calendar's count; `time`: milliseconds of the day. */
function instant(day: number, time: number): string | null {
  if (day === 0) return null;
  const date = new Date((day - JULIAN_DAY_OF_1970) * DAY_MS + time);
  if (Number.isNaN(date.getTime())) badInput(`there is no day ${day}`);
  return date.toISOString().replace("T", " ").replace("Z", "");
}
