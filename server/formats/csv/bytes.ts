/** Cells of comma-separated values written from bytes, in the same form as `types/csvCell.ts` writes them from texts. */
import type { ByteRow, Bytes } from "../../kernel/database/database.ts";
import { harmless, quoteCell } from "./cell.ts";

const codeOf = (character: string): number => character.charCodeAt(0);
export const COMMA = codeOf(",");
export const QUOTE = codeOf('"');
export const CR = codeOf("\r");
export const LF = codeOf("\n");

/** The meaning of a byte for its cell. */
const PLAIN = 0;
const FORMULA = 1; // where it is the first
const SPECIAL = 2;
const MEANING = new Uint8Array(256);
for (const byte of [..."=+-@\t"].map(codeOf)) MEANING[byte] = FORMULA;
for (const byte of [COMMA, QUOTE, CR, LF]) MEANING[byte] = SPECIAL;

/** Writes a column that is text, and not NULL. */
export function putText(row: ByteRow, index: number, out: Bytes): void {
  const start = out.length;
  out.copy(row, index);
  if (!isPlain(out.buffer, start, out.length)) putQuoted(out, start);
}

/** Whether the text needs no quotes. */
function isPlain(buffer: Buffer, start: number, end: number): boolean {
  if (start === end || MEANING[buffer[start]!] !== PLAIN) return false;
  for (let at = start + 1; at < end; at++) if (MEANING[buffer[at]!] === SPECIAL) return false;
  return true;
}

/** Makes a cell of the text that begins at `start`. */
function putQuoted(out: Bytes, start: number): void {
  const text = out.buffer.toString("utf8", start, out.length);
  out.length = start;
  out.put(quoteCell(harmless(text)));
}

/** Ends a row. */
export function putLineEnd(out: Bytes): void {
  out.putByte(CR);
  out.putByte(LF);
}
