/** A table of FlatBuffers, read field by field. A wrong offset throws a `RangeError`. */
const LENGTH_BYTES = 4;

export class FlatTable {
  readonly #buffer: Buffer;
  readonly #at: number;
  readonly #slots: number;
  readonly #slotsBytes: number;

  private constructor(buffer: Buffer, at: number) {
    this.#buffer = buffer;
    this.#at = at;
    this.#slots = at - buffer.readInt32LE(at);
    this.#slotsBytes = buffer.readUInt16LE(this.#slots);
  }

  static root(buffer: Buffer): FlatTable {
    return new FlatTable(buffer, buffer.readUInt32LE(0));
  }

  byte(field: number): number {
    const at = this.#field(field);
    return at === 0 ? 0 : this.#buffer.readUInt8(at);
  }

  short(field: number, otherwise: number): number {
    const at = this.#field(field);
    return at === 0 ? otherwise : this.#buffer.readUInt16LE(at);
  }

  int(field: number): number {
    const at = this.#field(field);
    return at === 0 ? 0 : this.#buffer.readInt32LE(at);
  }

  long(field: number): bigint {
    const at = this.#field(field);
    return at === 0 ? 0n : this.#buffer.readBigUInt64LE(at);
  }

  /** Undefined where it is missing or empty. */
  text(field: number): string | undefined {
    const bytes = this.bytes(field);
    return bytes.length === 0 ? undefined : bytes.toString();
  }

  bytes(field: number): Buffer {
    return this.#vector(field, 1);
  }

  uints(field: number): readonly number[] {
    const bytes = this.#vector(field, 4);
    return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(4 * index));
  }

  doubles(field: number): Float64Array {
    const bytes = this.#vector(field, 8);
    const values = new Float64Array(bytes.length / 8);
    for (let index = 0; index < values.length; index++) values[index] = bytes.readDoubleLE(8 * index);
    return values;
  }

  table(field: number): FlatTable | undefined {
    const at = this.#field(field);
    return at === 0 ? undefined : new FlatTable(this.#buffer, at + this.#buffer.readUInt32LE(at));
  }

  tables(field: number): readonly FlatTable[] {
    const at = this.#field(field);
    if (at === 0) return [];
    const start = at + this.#buffer.readUInt32LE(at) + LENGTH_BYTES;
    return Array.from({ length: this.#vector(field, 4).length / 4 }, (_, index) => {
      const own = start + 4 * index;
      return new FlatTable(this.#buffer, own + this.#buffer.readUInt32LE(own));
    });
  }

  /** The place of a field; 0: it is not there. */
  #field(field: number): number {
    const slot = 4 + 2 * field;
    const offset = slot < this.#slotsBytes ? this.#buffer.readUInt16LE(this.#slots + slot) : 0;
    return offset === 0 ? 0 : this.#at + offset;
  }

  #vector(field: number, size: number): Buffer {
    const at = this.#field(field);
    if (at === 0) return Buffer.alloc(0);
    const start = at + this.#buffer.readUInt32LE(at);
    const length = this.#buffer.readUInt32LE(start) * size;
    const from = start + LENGTH_BYTES;
    if (from + length > this.#buffer.length) throw new RangeError("the vector is longer than the buffer");
    return this.#buffer.subarray(from, from + length);
  }
}
