/** Bytes that arrive in pieces, read in lengths that the reader chooses. */
export class Incoming {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #isEnd = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The bytes that can be taken at once. */
  get here(): number {
    return this.#bytes.length - this.#at;
  }

  /** Waits until at least `count` bytes have arrived. Returns false where the input ends before. */
  async fill(count: number): Promise<boolean> {
    if (this.here >= count) return true;
    const pieces = [this.#bytes.subarray(this.#at)];
    let here = this.here;
    while (here < count && !this.#isEnd) {
      const { done, value } = await this.#pieces.next();
      if (done) this.#isEnd = true;
      else {
        pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        here += value.byteLength;
      }
    }
    this.#bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    this.#at = 0;
    return here >= count;
  }

  /** The next bytes, which must have arrived. They are not changed later. */
  take(count: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }

  /** The next bytes without taking them. */
  peek(count: number): Buffer {
    return this.#bytes.subarray(this.#at, this.#at + count);
  }

  /** Passes over `count` bytes. False where the end comes before. */
  async skip(count: number): Promise<boolean> {
    let rest = count;
    while (rest > 0) {
      if (!(await this.fill(1))) return false;
      const some = Math.min(rest, this.here);
      this.#at += some;
      rest -= some;
    }
    return true;
  }

  /** Ends the input, where the rest is not wanted. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
