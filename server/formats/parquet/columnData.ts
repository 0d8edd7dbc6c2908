/** The values of one column of a group, as Parquet's plain encoding has them, with their levels and bounds. */
import { NULL_LENGTH, type Cells } from "../rowBytes.ts";

/** A column of a group, to be written. */
export interface EndedColumn {
  readonly values: Buffer;
  /** Definition levels: of each row whether it has a value. */
  readonly levels: Buffer;
  readonly count: number;
  readonly nulls: number;
  /** Undefined where nothing, or nothing comparable, is there. */
  readonly bounds: Bounds | undefined;
}

export interface Bounds {
  readonly min: Bound;
  readonly max: Bound;
}

type Bound = boolean | number | bigint | Uint8Array;

const LEAST_BYTES = 1024;

/** A buffer that grows, and stays for the next group. */
export class Growing {
  bytes = Buffer.alloc(0);
  view = new DataView(this.bytes.buffer, 0, 0);
  length = 0;

  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length, LEAST_BYTES));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Whether each row has a value. */
export class Levels {
  readonly #present = new Growing();
  nulls = 0;

  get count(): number {
    return this.#present.length;
  }

  reserve(rows: number): void {
    this.#present.reserve(rows);
  }

  /** Adds a flag. Its space must be reserved before. */
  add(isPresent: boolean): void {
    const present = this.#present;
    present.bytes[present.length++] = isPresent ? 1 : 0;
    if (!isPresent) this.nulls++;
  }

  clear(): void {
    this.#present.length = 0;
    this.nulls = 0;
  }

  /** The hybrid of runs and bits, of levels of one bit: one run where all are alike, else all as bits. */
  encoded(): Buffer {
    const { written, length: count } = this.#present;
    const isAlike = this.nulls === 0 || this.nulls === count;
    if (isAlike) return Buffer.from([...varint(count * 2), this.nulls === 0 ? 1 : 0]);
    const head = varint(Math.ceil(count / 8) * 2 + 1);
    return Buffer.concat([Buffer.from(head), packBits(written)]);
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/** Packs bytes that are 0 or 1 into bits, the first into the lowest. */
function packBits(bytes: Buffer): Buffer {
  const packed = Buffer.alloc(Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 1) packed[at >> 3]! |= 1 << (at & 7);
  return packed;
}

/** Takes cells in the form that it was made for: PostgreSQL's text or its binary form. */
export abstract class ColumnData {
  protected readonly values = new Growing();
  readonly #levels = new Levels();
  /** Bytes of a value, where all have the same. */
  protected abstract readonly width: number;

  /** Bytes of the group until now. */
  get size(): number {
    return this.values.length;
  }

  /** Takes its cells of the rows from `from` until `to`. */
  add(cells: Cells, column: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const { starts, lengths, columns } = cells;
    const levels = this.#levels;
    levels.reserve(to - from);
    this.values.reserve((to - from) * this.width);
    for (let row = from, cell = from * columns + column; row < to; row++, cell += columns) {
      const length = lengths[cell]!;
      if (length === NULL_LENGTH) this.skip();
      levels.add(length !== NULL_LENGTH && this.take(cells, starts[cell]!, length));
    }
  }

  /** Ends the group. The result is valid until the next rows come. */
  end(): EndedColumn {
    const levels = this.#levels;
    const ended = {
      values: this.encodedValues(),
      levels: levels.encoded(),
      count: levels.count,
      nulls: levels.nulls,
      bounds: this.bounds(),
    };
    levels.clear();
    this.values.length = 0;
    this.clearBounds();
    return ended;
  }

  protected encodedValues(): Buffer {
    return this.values.written;
  }

  /** Called for NULL. */
  protected skip(): void {}

  /** Adds a value to `values`. False where it becomes null. */
  protected abstract take(cells: Cells, start: number, length: number): boolean;
  protected abstract bounds(): Bounds | undefined;
  protected abstract clearBounds(): void;
}

/** Booleans, a byte each until the group ends. */
export class BooleanData extends ColumnData {
  protected override readonly width = 1;
  readonly #isTrue: (byte: number) => boolean;
  #has = { true: false, false: false };

  constructor(isBinary: boolean) {
    super();
    const yes = isBinary ? 1 : "t".charCodeAt(0);
    this.#isTrue = (byte) => byte === yes;
  }

  protected take({ bytes }: Cells, start: number): boolean {
    const is = this.#isTrue(bytes[start]!);
    this.#has[`${is}`] = true;
    this.values.bytes[this.values.length++] = is ? 1 : 0;
    return true;
  }

  protected override encodedValues(): Buffer {
    return packBits(this.values.written);
  }

  protected bounds(): Bounds | undefined {
    const { true: yes, false: no } = this.#has;
    return yes || no ? { min: !no, max: yes } : undefined;
  }

  protected clearBounds(): void {
    this.#has = { true: false, false: false };
  }
}
