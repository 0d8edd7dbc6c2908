/** Rarely changing values of one database: read once, and remembered until the database changes. */

interface Entry {
  readonly readAtMs: number;
  readonly answer: Promise<unknown>;
  /** Undefined until it has come. */
  value: unknown;
}

export class Memory {
  readonly #known = new Map<unknown, Entry>();
  #version = 0;
  #seenAtMs = -Infinity;

  /** Another number after each `forget`. */
  get version(): number {
    return this.#version;
  }

  /**
   * The result of `read` for `source`. Concurrent callers share one call; a failure goes to them and is not kept.
   * `maxAgeMs`: how long a result is kept. Default until `forget`.
   */
  of<Source, T>(source: Source, read: (source: Source) => Promise<T>, maxAgeMs = Infinity): Promise<T> {
    const known = this.#known.get(read);
    if (known && performance.now() - known.readAtMs < maxAgeMs) return known.answer as Promise<T>;
    const answer = read(source);
    const entry: Entry = { readAtMs: performance.now(), answer, value: undefined };
    this.#known.set(read, entry);
    answer.then(
      (value) => void (entry.value = value),
      () => {
        if (this.#known.get(read) === entry) this.#known.delete(read); // the caller gets the error
      },
    );
    return answer;
  }

  /** The remembered answer of `of`; undefined where it must be read. */
  now<Source, T>(read: (source: Source) => Promise<T>): T | undefined {
    return this.#known.get(read)?.value as T | undefined;
  }

  /** Called after a poll of the database that began at that time (`performance.now()`) and dropped the changed values. */
  sawAt(beganMs: number): void {
    this.#seenAtMs = beganMs;
  }

  /** When the last look began that would have noticed a change. */
  get seenAtMs(): number {
    return this.#seenAtMs;
  }

  /** Called when the catalogue, the rules, the accounts or the keys of the database have changed. */
  forget(): void {
    this.#known.clear();
    this.#version++;
  }
}
