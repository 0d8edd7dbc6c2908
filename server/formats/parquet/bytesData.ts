/** Columns of texts, documents, bytes and UUIDs. */
import type { Cells } from "../rowBytes.ts";
import { ColumnData, type Bounds } from "./columnData.ts";

/** The length before each value. */
const LENGTH_BYTES = 4;
/** The prefix of PostgreSQL's text of bytes. */
const HEX_BYTES = 2;
const UUID_BYTES = 16;
/** Up to this length a loop copies faster than `Buffer.copy`. */
const FEW_BYTES = 40;

/** Notes the smallest and the largest of its values, by their bytes. */
export abstract class BytesData extends ColumnData {
  protected override readonly width: number = LENGTH_BYTES;
  #min = -1;
  #minLength = 0;
  #max = -1;
  #maxLength = 0;

  /** Makes room for a value of `bytes` and writes its length. Returns its place in `values`. */
  protected place(bytes: number): number {
    const { values } = this;
    values.reserve(LENGTH_BYTES + bytes);
    values.view.setUint32(values.length, bytes, true);
    const at = values.length + LENGTH_BYTES;
    values.length = at + bytes;
    return at;
  }

  /** Copies a value. */
  protected copy(from: Buffer, start: number, length: number): void {
    const at = this.place(length);
    const { bytes } = this.values;
    if (length > FEW_BYTES) from.copy(bytes, at, start, start + length);
    else for (let n = 0; n < length; n++) bytes[at + n] = from[start + n]!;
    this.compare(at, length);
  }

  /** Adds the bytes that hexadecimal digits stand for. */
  protected addHex(digits: string): void {
    const length = digits.length / 2;
    const at = this.place(length);
    this.values.bytes.write(digits, at, "hex");
    this.compare(at, length);
  }

  /** Looks at the value at this place of `values`. */
  protected compare(start: number, length: number): void {
    if (this.#min === -1 || this.#difference(start, length, this.#min, this.#minLength) < 0) {
      this.#min = start;
      this.#minLength = length;
    }
    if (this.#max === -1 || this.#difference(start, length, this.#max, this.#maxLength) > 0) {
      this.#max = start;
      this.#maxLength = length;
    }
  }

  #difference(a: number, aLength: number, b: number, bLength: number): number {
    const { bytes } = this.values;
    const shorter = Math.min(aLength, bLength);
    for (let at = 0; at < shorter; at++) {
      const difference = bytes[a + at]! - bytes[b + at]!;
      if (difference !== 0) return difference;
    }
    return aLength - bLength;
  }

  protected bounds(): Bounds | undefined {
    if (this.#min === -1) return undefined;
    const at = (start: number, length: number): Buffer =>
      Buffer.from(this.values.bytes.subarray(start, start + length));
    return { min: at(this.#min, this.#minLength), max: at(this.#max, this.#maxLength) };
  }

  protected override clearBounds(): void {
    this.#min = this.#max = -1;
  }
}

/** Values that are written as they stand in the cell. */
export class PlainData extends BytesData {
  protected take({ bytes }: Cells, start: number, length: number): boolean {
    this.copy(bytes, start, length);
    return true;
  }
}

/** The version byte before the text in PostgreSQL's binary format of `jsonb`. */
const JSONB_VERSION = 1;

export class DocumentData extends BytesData {
  protected take({ bytes }: Cells, start: number, length: number): boolean {
    const skipped = bytes[start] === JSONB_VERSION ? 1 : 0;
    this.copy(bytes, start + skipped, length - skipped);
    return true;
  }
}

/** The text of a value, of which another one is made. */
export class ConvertedData extends BytesData {
  readonly #toText: (text: string) => string;

  constructor(toText: (text: string) => string) {
    super();
    this.#toText = toText;
  }

  protected take({ bytes }: Cells, start: number, length: number): boolean {
    const text = this.#toText(bytes.toString("utf8", start, start + length));
    const size = Buffer.byteLength(text);
    const at = this.place(size);
    this.values.bytes.write(text, at);
    this.compare(at, size);
    return true;
  }
}

/** PostgreSQL's text of bytes: hexadecimal digits. */
export class HexData extends BytesData {
  protected take({ bytes }: Cells, start: number, length: number): boolean {
    this.addHex(bytes.toString("latin1", start + HEX_BYTES, start + length));
    return true;
  }
}

export class UuidData extends BytesData {
  protected override readonly width = UUID_BYTES;

  protected override place(bytes: number): number {
    const at = this.values.length;
    this.values.length = at + bytes;
    return at;
  }

  protected take({ bytes }: Cells, start: number, length: number): boolean {
    if (length === UUID_BYTES) this.copy(bytes, start, length);
    else this.addHex(bytes.toString("latin1", start, start + length).replaceAll("-", ""));
    return true;
  }
}
