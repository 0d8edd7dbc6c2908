/** The values of one column of a group, as Parquet's plain encoding has them, with their levels and bounds. */
import { viewOf } from "../gpkg/wkbBox.ts";
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

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

const LEAST_BYTES = 1024;

/** A buffer that grows. It has a spare one, which takes the next group while this one is still compressed. */
export class Growing {
  #spare = Buffer.alloc(0);
  bytes = Buffer.alloc(0);
  view = viewOf(this.bytes);
  length = 0;

  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length, LEAST_BYTES));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Hands over what is written, and begins again. It stays as it is until the next call. */
  hand(): Buffer {
    const { written } = this;
    const full = this.bytes;
    this.bytes = this.#spare;
    this.#spare = full;
    this.view = viewOf(this.bytes);
    this.length = 0;
    return written;
  }
}

/** Whether each row has a value. */
export class Levels {
  /** A byte for each row, as far as NULL came: there are none where all rows have values. */
  readonly #present = new Growing();
  count = 0;
  nulls = 0;

  /** Adds a row that has a value. */
  addPresent(): void {
    this.count++;
  }

  /** Adds a row without one. */
  addNull(): void {
    this.#fill();
    this.#present.reserve(1);
    this.#present.bytes[this.#present.length++] = 0;
    this.count++;
    this.nulls++;
  }

  clear(): void {
    this.#present.length = 0;
    this.count = 0;
    this.nulls = 0;
  }

  /** The hybrid of runs and bits, of levels of one bit: one run where all are alike, else all as bits. */
  encoded(): Buffer {
    const { count } = this;
    const isAlike = this.nulls === 0 || this.nulls === count;
    if (isAlike) return Buffer.from([...varint(count * 2), this.nulls === 0 ? 1 : 0]);
    this.#fill();
    const head = varint(Math.ceil(count / 8) * 2 + 1);
    return Buffer.concat([Buffer.from(head), packBits(this.#present.written)]);
  }

  /** Writes the bytes of the rows that came since the last NULL. */
  #fill(): void {
    const present = this.#present;
    present.reserve(this.count - present.length);
    present.bytes.fill(1, present.length, this.count);
    present.length = this.count;
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
  protected readonly levels = new Levels();
  /** Bytes of a value, where all have the same. */
  protected abstract readonly width: number;

  /** Bytes of the group until now. */
  get size(): number {
    return this.values.length;
  }

  /** Takes its cells of the rows from `from` until `to`. */
  add(cells: Cells, column: number, { from, to }: RowRange): void {
    const { starts, lengths, columns } = cells;
    const { levels } = this;
    this.values.reserve((to - from) * this.width);
    for (let row = from, cell = from * columns + column; row < to; row++, cell += columns) {
      const length = lengths[cell]!;
      if (length === NULL_LENGTH) this.skip();
      if (length !== NULL_LENGTH && this.take(cells, starts[cell]!, length)) levels.addPresent();
      else levels.addNull();
    }
  }

  /** Ends the group. The result stays as it is until the next group ends. */
  end(): EndedColumn {
    const { levels } = this;
    const bounds = this.bounds();
    const ended = {
      values: this.handValues(),
      levels: levels.encoded(),
      count: levels.count,
      nulls: levels.nulls,
      bounds,
    };
    levels.clear();
    this.clearBounds();
    return ended;
  }

  protected handValues(): Buffer {
    return this.values.hand();
  }

  /** Called for NULL. */
  protected skip(): void {}

  /** Adds a value to `values`. False where it becomes null. */
  protected abstract take(cells: Cells, start: number, length: number): boolean;
  /** Of `values`. */
  protected abstract bounds(): Bounds | undefined;
  protected clearBounds(): void {}
}

/** Booleans, a byte each until the group ends. */
export class BooleanData extends ColumnData {
  protected override readonly width = 1;
  readonly #isTrue: (byte: number) => boolean;
  #has = { true: false, false: false };

  constructor(isBinary: boolean) {
    super();
    const yes = isBinary ? 1 : "t".charCodeAt(0);
    const isTrue = (byte: number): boolean => byte === yes;
    this.#isTrue = isTrue;
  }

  protected take({ bytes }: Cells, start: number): boolean {
    const is = this.#isTrue(bytes[start]!);
    this.#has[`${is}`] = true;
    this.values.bytes[this.values.length++] = is ? 1 : 0;
    return true;
  }

  protected override handValues(): Buffer {
    return packBits(this.values.hand());
  }

  protected bounds(): Bounds | undefined {
    const { true: yes, false: no } = this.#has;
    return yes || no ? { min: !no, max: yes } : undefined;
  }

  protected override clearBounds(): void {
    this.#has = { true: false, false: false };
  }
}
