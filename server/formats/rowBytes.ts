/** Rows as bytes: of each cell its length, as PostgreSQL sends it in a message DataRow, and its content. */
import { Bytes, type ByteRow, type TextRow } from "../kernel/database/database.ts";

/** The length of NULL. */
export const NULL_LENGTH = -1;
const LENGTH_BYTES = 4;

/** Adds all cells of a row. */
export function putRow(row: ByteRow, out: Bytes): void {
  out.reserve(row.length);
  out.length = row.copyAll(out.buffer, out.length);
}

/** Adds one cell of a row. */
export function putCell(row: ByteRow, index: number, out: Bytes): void {
  const length = row.isNull(index) ? NULL_LENGTH : row.lengthOf(index);
  putLength(length, out);
  if (length > 0) out.copy(row, index);
}

export function putNull(out: Bytes): void {
  putLength(NULL_LENGTH, out);
}

function putLength(length: number, out: Bytes): void {
  out.reserve(LENGTH_BYTES);
  out.buffer.writeInt32BE(length, out.length);
  out.length += LENGTH_BYTES;
}

/** Rows of texts in the same form. */
export function bytesOfRows(rows: readonly TextRow[]): Bytes {
  const out = new Bytes();
  for (const row of rows)
    for (const text of row) {
      const start = out.length;
      putLength(NULL_LENGTH, out);
      if (text === null) continue;
      out.put(text);
      out.buffer.writeInt32BE(out.length - start - LENGTH_BYTES, start);
    }
  return out;
}

/** Where the cells of some rows are. */
export interface Cells {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Where each cell starts, row by row. */
  readonly starts: Int32Array;
  /** `NULL_LENGTH` for NULL. */
  readonly lengths: Int32Array;
  readonly columns: number;
  readonly rows: number;
}

/** Finds the cells of rows, in arrays that are used again by the next call. */
export class CellFinder {
  readonly #columns: number;
  #starts = new Int32Array(0);
  #lengths = new Int32Array(0);

  /** `columns`: of a row, at least one. */
  constructor(columns: number) {
    this.#columns = columns;
  }

  find(bytes: Buffer): Cells {
    const columns = this.#columns;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let count = 0;
    for (let at = 0; at < bytes.length; count++) {
      if (count === this.#starts.length) this.#grow();
      const length = view.getInt32(at);
      at += LENGTH_BYTES;
      this.#starts[count] = at;
      this.#lengths[count] = length;
      if (length > 0) at += length;
    }
    return { bytes, view, starts: this.#starts, lengths: this.#lengths, columns, rows: count / columns };
  }

  #grow(): void {
    const size = Math.max(1024, 2 * this.#starts.length);
    const [starts, lengths] = [new Int32Array(size), new Int32Array(size)];
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }
}

/** Rows that were put cell by cell, as texts. */
export function textRows({ bytes, starts, lengths, columns, rows }: Cells): TextRow[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => {
      const cell = row * columns + column;
      const [start, length] = [starts[cell]!, lengths[cell]!];
      return length === NULL_LENGTH ? null : bytes.toString("utf8", start, start + length);
    }),
  );
}
