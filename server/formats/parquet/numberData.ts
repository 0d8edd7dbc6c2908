/** Columns of numbers, days and instants. */
import type { Value } from "../columnar/columnKind.ts";
import { NULL_LENGTH, type Cells } from "../rowBytes.ts";
import { ColumnData, type Bounds, type RowRange } from "./columnData.ts";

const [SHORT_BYTES, INTEGER_BYTES, LONG_BYTES] = [2, 4, 8];
const [LEAST_INTEGER, MOST_INTEGER] = [-0x8000_0000, 0x7fff_ffff];

type ReadText = (text: string) => Value;

/**
 * Values of one width. Binary cells are taken in one loop, and the bounds are looked for in another one at the end of the
 * group: a call for each cell takes longer than the cell, and makes an object of each fraction.
 */
abstract class FixedData extends ColumnData {
  readonly #readText: ReadText | undefined;

  /** `readText`: of PostgreSQL's text. Without it cells are in binary form. */
  constructor(readText: ReadText | undefined) {
    super();
    this.#readText = readText;
  }

  override add(cells: Cells, column: number, range: RowRange): void {
    if (this.#readText) return super.add(cells, column, range);
    this.values.reserve((range.to - range.from) * this.width);
    this.addBinary(cells, column, range);
  }

  protected take({ bytes }: Cells, start: number, length: number): boolean {
    const value = this.#readText!(bytes.toString("latin1", start, start + length));
    return value !== null && this.put(value as number & bigint);
  }

  protected abstract addBinary(cells: Cells, column: number, range: RowRange): void;
  /** Adds a value. False where it becomes null. */
  protected abstract put(value: number | bigint): boolean;
}

/** Values of four bytes. */
abstract class FourData extends FixedData {
  protected override readonly width = INTEGER_BYTES;

  protected addBinary({ view, starts, lengths, columns }: Cells, column: number, { from, to }: RowRange): void {
    const { values, levels } = this;
    const target = values.view;
    let at = values.length;
    for (let row = from, cell = from * columns + column; row < to; row++, cell += columns) {
      const [start, length] = [starts[cell]!, lengths[cell]!];
      if (length === NULL_LENGTH) {
        levels.addNull();
        continue;
      }
      target.setInt32(at, length === SHORT_BYTES ? view.getInt16(start) : view.getInt32(start), true);
      at += INTEGER_BYTES;
      levels.addPresent();
    }
    values.length = at;
  }
}

/** The bounds of zeros are those of both zeros, as Parquet wants them. Undefined where there are no values. */
function boundsOf(min: number, max: number): Bounds | undefined {
  return min > max ? undefined : { min: min === 0 ? -0 : min, max: max === 0 ? 0 : max };
}

export class IntegerData extends FourData {
  protected put(value: number): boolean {
    this.values.view.setInt32(this.values.length, value, true);
    this.values.length += INTEGER_BYTES;
    return true;
  }

  protected bounds(): Bounds | undefined {
    const { view, length } = this.values;
    let [min, max] = [MOST_INTEGER, LEAST_INTEGER];
    for (let at = 0; at < length; at += INTEGER_BYTES) {
      const value = view.getInt32(at, true);
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return boundsOf(min, max);
  }
}

/** Days from 1970 to 2000, which PostgreSQL's binary form counts from. */
const DAYS_TO_2000 = 10_957;

export class DateData extends IntegerData {
  protected override addBinary({ view, starts, lengths, columns }: Cells, column: number, range: RowRange): void {
    for (let row = range.from, cell = row * columns + column; row < range.to; row++, cell += columns) {
      const days = lengths[cell] === NULL_LENGTH ? MOST_INTEGER : view.getInt32(starts[cell]!);
      const isInfinite = days === MOST_INTEGER || days === LEAST_INTEGER;
      if (!isInfinite && this.put(days + DAYS_TO_2000)) this.levels.addPresent();
      else this.levels.addNull();
    }
  }
}

export class FloatData extends FourData {
  protected put(value: number): boolean {
    this.values.view.setFloat32(this.values.length, value, true);
    this.values.length += INTEGER_BYTES;
    return true;
  }

  protected bounds(): Bounds | undefined {
    const { view, length } = this.values;
    let [min, max] = [Infinity, -Infinity];
    for (let at = 0; at < length; at += INTEGER_BYTES) {
      const value = view.getFloat32(at, true);
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return boundsOf(min, max);
  }
}

/** Values of eight bytes. They are handled as two words: as a bigint each integer would be an object. */
abstract class EightData extends FixedData {
  protected override readonly width = LONG_BYTES;

  protected addBinary({ view, starts, lengths, columns }: Cells, column: number, { from, to }: RowRange): void {
    const { values, levels } = this;
    const target = values.view;
    let at = values.length;
    for (let row = from, cell = from * columns + column; row < to; row++, cell += columns) {
      const [start, length] = [starts[cell]!, lengths[cell]!];
      if (length === NULL_LENGTH) {
        levels.addNull();
        continue;
      }
      const isShort = length === INTEGER_BYTES; // without a sign
      target.setInt32(at, view.getInt32(isShort ? start : start + INTEGER_BYTES), true);
      target.setInt32(at + INTEGER_BYTES, isShort ? 0 : view.getInt32(start), true);
      at += LONG_BYTES;
      levels.addPresent();
    }
    values.length = at;
  }
}

export class DoubleData extends EightData {
  protected put(value: number): boolean {
    this.values.view.setFloat64(this.values.length, value, true);
    this.values.length += LONG_BYTES;
    return true;
  }

  protected bounds(): Bounds | undefined {
    const { view, length } = this.values;
    let [min, max] = [Infinity, -Infinity];
    for (let at = 0; at < length; at += LONG_BYTES) {
      const value = view.getFloat64(at, true);
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return boundsOf(min, max);
  }
}

const WORD = 2 ** 32;

export class LongData extends EightData {
  protected put(value: bigint): boolean {
    if (BigInt.asIntN(64, value) !== value) return false;
    this.values.view.setBigInt64(this.values.length, value, true);
    this.values.length += LONG_BYTES;
    return true;
  }

  protected bounds(): Bounds | undefined {
    const { view, length } = this.values;
    if (length === 0) return undefined;
    let [min, max] = [0, 0];
    for (let at = LONG_BYTES; at < length; at += LONG_BYTES) {
      const low = view.getUint32(at, true);
      const high = view.getInt32(at + INTEGER_BYTES, true);
      const minHigh = view.getInt32(min + INTEGER_BYTES, true);
      const maxHigh = view.getInt32(max + INTEGER_BYTES, true);
      if (high < minHigh || (high === minHigh && low < view.getUint32(min, true))) min = at;
      if (high > maxHigh || (high === maxHigh && low > view.getUint32(max, true))) max = at;
    }
    return { min: view.getBigInt64(min, true), max: view.getBigInt64(max, true) };
  }
}

const MICROSECONDS_TO_2000 = 946_684_800_000_000;
const HIGH_TO_2000 = Math.floor(MICROSECONDS_TO_2000 / WORD);
const LOW_TO_2000 = MICROSECONDS_TO_2000 % WORD;

/** Microseconds since 1970; null for infinite values, and for the last years of PostgreSQL, which do not fit. */
export class InstantData extends LongData {
  protected override addBinary({ view, starts, lengths, columns }: Cells, column: number, range: RowRange): void {
    const { values, levels } = this;
    const target = values.view;
    let at = values.length;
    for (let row = range.from, cell = row * columns + column; row < range.to; row++, cell += columns) {
      const start = starts[cell]!;
      const isNull = lengths[cell] === NULL_LENGTH;
      const high = isNull ? LEAST_INTEGER : view.getInt32(start);
      const low = isNull ? 0 : view.getUint32(start + INTEGER_BYTES);
      const isInfinite = (high === MOST_INTEGER && low === WORD - 1) || (high === LEAST_INTEGER && low === 0);
      const sum = low + LOW_TO_2000;
      const carry = sum >= WORD ? 1 : 0;
      const next = high + HIGH_TO_2000 + carry;
      if (isInfinite || next > MOST_INTEGER) {
        levels.addNull();
        continue;
      }
      target.setUint32(at, sum - carry * WORD, true);
      target.setInt32(at + INTEGER_BYTES, next, true);
      at += LONG_BYTES;
      levels.addPresent();
    }
    values.length = at;
  }
}
