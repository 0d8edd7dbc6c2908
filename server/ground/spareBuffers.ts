/** Large buffers for reuse: dropping megabytes of them makes V8 collect the whole heap. */

/** Smaller ones come from Node's own pool, or cost little. */
const SMALLEST = 64 * 1024;
/** The size of every buffer: with one size, any buffer can replace another. */
const SIZE = 640 * 1024;
/** The number of buffers that are kept. */
const MOST = 16;

const spare: Buffer[] = [];

/** At least this long; the content is arbitrary. */
export function takeBuffer(bytes: number): Buffer {
  if (bytes < SMALLEST || bytes > SIZE) return Buffer.allocUnsafe(bytes);
  return spare.pop() ?? Buffer.allocUnsafeSlow(SIZE);
}

/** Takes back a buffer that is no longer read. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length === SIZE && spare.length < MOST) spare.push(buffer);
}

/** Gathers many small pieces of bytes in few large ones. */
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

  /** The written bytes, in order. They are valid until the buffers are given back. */
  get pieces(): readonly Buffer[] {
    return this.#last ? [...this.#full, this.#last.subarray(0, this.#used)] : [];
  }

  /** Called when the buffers are no longer read. */
  giveBack(): void {
    for (const buffer of this.#full.splice(0)) giveBack(buffer);
    if (this.#last) giveBack(this.#last);
    this.#last = undefined;
    this.#used = 0;
  }
}
