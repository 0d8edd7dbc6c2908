/** Large buffers that are used again: to throw them away by the megabyte makes the whole heap be searched. */

/** Smaller ones come from Node's own pool, or cost little. */
const SMALLEST = 64 * 1024;
/** They are all of this size, so that one serves for another. */
const SIZE = 640 * 1024;
/** So many are kept. */
const MOST = 16;

const spare: Buffer[] = [];

/** At least so long; what stands in it is anything. */
export function takeBuffer(bytes: number): Buffer {
  if (bytes < SMALLEST || bytes > SIZE) return Buffer.allocUnsafe(bytes);
  return spare.pop() ?? Buffer.allocUnsafeSlow(SIZE);
}

/** For one that nothing will read any more. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length === SIZE && spare.length < MOST) spare.push(buffer);
}

/** Bytes that come in many small pieces, gathered in few large ones. */
export class Gathered {
  readonly #full: Buffer[] = [];
  #last: Buffer | undefined;
  #used = 0;

  /** Copies the bytes. */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#used === (this.#last?.length ?? 0)) {
        if (this.#last) this.#full.push(this.#last);
        this.#last = takeBuffer(SIZE);
        this.#used = 0;
      }
      const copied = bytes.copy(this.#last!, this.#used, at);
      this.#used += copied;
      at += copied;
    }
  }

  /** All of them, in order, for as long as they are not given back. */
  get pieces(): readonly Buffer[] {
    return this.#last ? [...this.#full, this.#last.subarray(0, this.#used)] : [];
  }

  /** When nothing will read them any more. */
  giveBack(): void {
    for (const buffer of this.#full.splice(0)) giveBack(buffer);
    if (this.#last) giveBack(this.#last);
    this.#last = undefined;
    this.#used = 0;
  }
}
