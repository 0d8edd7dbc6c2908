/** Columns of numbers, days and instants. */
import type { Value } from "../columnar/columnKind.ts";
import type { Cells } from "../rowBytes.ts";
import { ColumnData, type Bounds } from "./columnData.ts";

const [SHORT_BYTES, INTEGER_BYTES, LONG_BYTES] = [2, 4, 8];
const [LEAST_INTEGER, MOST_INTEGER] = [-0x8000_0000, 0x7fff_ffff];

type ReadText = (text: string) => Value;

abstract class NumberData extends ColumnData {
  #min = Infinity;
  #max = -Infinity;
  readonly #readText: ReadText | undefined;

  /** `readText`: of PostgreSQL's text. Without it cells are in binary form. */
  constructor(readText: ReadText | undefined) {
    super();
    this.#readText = readText;
  }

  protected take(cells: Cells, start: number, length: number): boolean {
    const value = this.#readText
      ? (this.#readText(cells.bytes.toString("latin1", start, start + length)) as number | null)
      : this.readBinary(cells.view, start, length);
    if (value === null) return false;
    this.put(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    return true;
  }

  /** Null for an infinite value, and for NaN. */
  protected abstract readBinary(view: DataView, start: number, length: number): number | null;
  protected abstract put(value: number): void;

  /** The bounds of zeros are those of both zeros, as Parquet wants them. */
  protected bounds(): Bounds | undefined {
    if (this.#min > this.#max) return undefined;
    return { min: this.#min === 0 ? -0 : this.#min, max: this.#max === 0 ? 0 : this.#max };
  }

  protected clearBounds(): void {
    this.#min = Infinity;
    this.#max = -Infinity;
  }
}

export class IntegerData extends NumberData {
  protected override readonly width = INTEGER_BYTES;

  protected readBinary(view: DataView, start: number, length: number): number | null {
    return length === SHORT_BYTES ? view.getInt16(start) : view.getInt32(start);
  }

  protected put(value: number): void {
    this.values.view.setInt32(this.values.length, value, true);
    this.values.length += INTEGER_BYTES;
  }
}

/** Days from 1970 to 2000, which PostgreSQL's binary form counts from. */
const DAYS_TO_2000 = 10_957;

export class DateData extends IntegerData {
  protected override readBinary(view: DataView, start: number): number | null {
    const days = view.getInt32(start);
    return days === MOST_INTEGER || days === LEAST_INTEGER ? null : days + DAYS_TO_2000;
  }
}

export class FloatData extends NumberData {
  protected override readonly width = INTEGER_BYTES;

  protected readBinary(view: DataView, start: number): number {
    return view.getFloat32(start);
  }

  protected put(value: number): void {
    this.values.view.setFloat32(this.values.length, value, true);
    this.values.length += INTEGER_BYTES;
  }
}

export class DoubleData extends NumberData {
  protected override readonly width = LONG_BYTES;

  protected readBinary(view: DataView, start: number): number {
    return view.getFloat64(start);
  }

  protected put(value: number): void {
    this.values.view.setFloat64(this.values.length, value, true);
    this.values.length += LONG_BYTES;
  }
}

const WORD = 2 ** 32;
const WORD_BITS = 32n;

/** Integers of 64 bits, which are handled as two words: as a bigint each would be an object. */
export class LongData extends ColumnData {
  protected override readonly width = LONG_BYTES;
  readonly #readText: ReadText | undefined;
  #minHigh = Infinity;
  #minLow = 0;
  #maxHigh = -Infinity;
  #maxLow = 0;

  /** `readText`: of PostgreSQL's text. Without it cells are in binary form. */
  constructor(readText: ReadText | undefined) {
    super();
    this.#readText = readText;
  }

  protected take(cells: Cells, start: number, length: number): boolean {
    if (!this.#readText) return this.takeBinary(cells.view, start, length);
    const value = this.#readText(cells.bytes.toString("latin1", start, start + length)) as bigint | null;
    if (value === null || BigInt.asIntN(64, value) !== value) return false;
    return this.put(Number(value >> WORD_BITS), Number(BigInt.asUintN(32, value)));
  }

  protected takeBinary(view: DataView, start: number, length: number): boolean {
    if (length === LONG_BYTES) return this.put(view.getInt32(start), view.getUint32(start + INTEGER_BYTES));
    return this.put(0, view.getUint32(start)); // without a sign
  }

  protected put(high: number, low: number): boolean {
    const { view, length } = this.values;
    view.setUint32(length, low, true);
    view.setInt32(length + INTEGER_BYTES, high, true);
    this.values.length = length + LONG_BYTES;
    if (high < this.#minHigh || (high === this.#minHigh && low < this.#minLow)) {
      this.#minHigh = high;
      this.#minLow = low;
    }
    if (high > this.#maxHigh || (high === this.#maxHigh && low > this.#maxLow)) {
      this.#maxHigh = high;
      this.#maxLow = low;
    }
    return true;
  }

  protected bounds(): Bounds | undefined {
    if (this.#minHigh > this.#maxHigh) return undefined;
    return { min: long(this.#minHigh, this.#minLow), max: long(this.#maxHigh, this.#maxLow) };
  }

  protected clearBounds(): void {
    this.#minHigh = Infinity;
    this.#maxHigh = -Infinity;
    this.#minLow = this.#maxLow = 0;
  }
}

function long(high: number, low: number): bigint {
  return (BigInt(high) << WORD_BITS) + BigInt(low);
}

const MICROSECONDS_TO_2000 = 946_684_800_000_000;
const HIGH_TO_2000 = Math.floor(MICROSECONDS_TO_2000 / WORD);
const LOW_TO_2000 = MICROSECONDS_TO_2000 % WORD;

/** Microseconds since 1970; null for infinite values, and for the last years of PostgreSQL, which do not fit. */
export class InstantData extends LongData {
  protected override takeBinary(view: DataView, start: number): boolean {
    const high = view.getInt32(start);
    const low = view.getUint32(start + INTEGER_BYTES);
    const isInfinite = (high === MOST_INTEGER && low === WORD - 1) || (high === LEAST_INTEGER && low === 0);
    const sum = low + LOW_TO_2000;
    const carry = sum >= WORD ? 1 : 0;
    const next = high + HIGH_TO_2000 + carry;
    return !isInfinite && next <= MOST_INTEGER && this.put(next, sum - carry * WORD);
  }
}
