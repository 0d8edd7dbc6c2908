/** Text or bytes that are written piece by piece, in a buffer that grows. */
import { giveBack, takeBuffer } from "../../../ground/spareBuffers.ts";
import type { ByteRow } from "./byteRows.ts";

/** UTF-8 bytes of one UTF-16 code unit, at most. */
const BYTES_PER_CHARACTER = 3;
/** Most texts have more bytes than this, so a buffer begins with them. */
const LEAST_BYTES = 1024;
const NOTHING = Buffer.alloc(0);
/** Up to this length a loop is faster than a call of Node. */
const FEW_BYTES = 200;

export class Bytes {
  #bytes: Buffer;
  #view: DataView | undefined;
  #length = 0;

  /** `expected`: bytes that will be needed, as far as that is known. */
  constructor(expected = 0) {
    this.#bytes = expected === 0 ? NOTHING : takeBuffer(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The buffer itself, until the next `reserve`. The caller may write into the reserved part, and then sets `length`. */
  get buffer(): Buffer {
    return this.#bytes;
  }

  /** The same, for numbers. */
  get view(): DataView {
    return (this.#view ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length));
  }

  /** Cuts the bytes after it, or counts bytes that were written directly into `buffer`. */
  set length(length: number) {
    this.#length = length;
  }

  /** Makes room for `bytes` more. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = takeBuffer(Math.max(needed, 2 * this.#bytes.length, LEAST_BYTES));
    this.#bytes.copy(larger, 0, 0, this.#length);
    giveBack(this.#bytes);
    this.#bytes = larger;
    this.#view = undefined;
  }

  put(text: string): void {
    this.reserve(text.length * BYTES_PER_CHARACTER);
    this.#length += this.#bytes.write(text, this.#length);
  }

  putBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds what another has written. */
  append({ buffer, length }: Bytes): void {
    this.reserve(length);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < length; index++) target[at++] = buffer[index]!;
    this.#length = at;
  }

  putByte(byte: number): void {
    this.reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Nothing for NULL. */
  copy(row: ByteRow, index: number): void {
    this.reserve(row.lengthOf(index));
    this.#length = row.copy(index, this.#bytes, this.#length);
  }

  /** Whether the bytes from `start` on contain one of these. */
  has(bytes: readonly number[], start: number): boolean {
    if (this.#length - start > FEW_BYTES) {
      const written = this.#bytes.subarray(start, this.#length);
      return bytes.some((byte) => written.includes(byte));
    }
    for (let at = start; at < this.#length; at++) if (bytes.includes(this.#bytes[at]!)) return true;
    return false;
  }

  /** Nothing will read it any more. */
  release(): void {
    giveBack(this.#bytes);
    this.#bytes = NOTHING;
    this.#view = undefined;
    this.#length = 0;
  }
}
