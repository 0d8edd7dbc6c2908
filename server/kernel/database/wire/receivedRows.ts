/** The rows of one portion: as text, or as bytes that a writer makes of them. */
import type { ByteRow } from "./byteRows.ts";
import { Bytes } from "./bytes.ts";
import type { TextRow } from "./extendedQuery.ts";

/** Writes a row. Not asynchronous; the statement rejects with its errors. */
export type WriteRow = (row: ByteRow, out: Bytes) => void;

/** The bytes that were written of some rows. */
export interface Written {
  readonly bytes: Bytes;
  rows: number;
}

/** The size of one piece of wide rows. What follows goes into another piece. */
const PIECE_BYTES = 4_000_000;
/** The most bytes of a portion that are kept, unless the statement sets less. */
export const MAX_PORTION_BYTES = 256_000_000;

export class ReceivedRows {
  readonly #mostBytes: number;
  #rows: TextRow[] = [];
  #written: Written[] | undefined;
  #thrown: { readonly error: unknown } | undefined;
  #count = 0;
  #bytes = 0;

  constructor(mostBytes = MAX_PORTION_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The rows as text. */
  get rows(): readonly TextRow[] {
    return this.#rows;
  }

  /** The written bytes of the rows, in pieces of some rows; undefined if the rows are text. */
  get written(): readonly Written[] | undefined {
    return this.#written;
  }

  /** How many came. */
  get count(): number {
    return this.#count;
  }

  /** Their size on the wire, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there was too much to keep. */
  get isTooLarge(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  /** The error that writing a row has thrown. */
  get thrown(): { readonly error: unknown } | undefined {
    return this.#thrown;
  }

  take(row: TextRow, length: number): void {
    if (this.#hasRoom(length)) this.#rows.push(row);
  }

  /** Takes rows in the form that `write` makes. `expectedBytes`: the number of bytes to come, if known. */
  writer(write: WriteRow, expectedBytes: number): (row: ByteRow) => void {
    let piece: Written = { bytes: new Bytes(expectedBytes), rows: 0 };
    const pieces = (this.#written = [piece]);
    return (row) => {
      if (!this.#hasRoom(row.length) || this.#thrown) return;
      if (piece.bytes.length > PIECE_BYTES) pieces.push((piece = { bytes: new Bytes(), rows: 0 }));
      try {
        write(row, piece.bytes);
        piece.rows++;
      } catch (error) {
        this.#thrown = { error };
      }
    };
  }

  #hasRoom(bytes: number): boolean {
    this.#count++;
    this.#bytes += bytes;
    if (this.#bytes <= this.#mostBytes) return true;
    this.#rows = [];
    this.#written?.splice(0).forEach((piece) => piece.bytes.release());
    return false;
  }
}
