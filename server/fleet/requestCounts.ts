/** Requests of the current minute, by key. Hosts that tell each other theirs have the same minutes. */

const MINUTE_MS = 60_000;

interface Minute {
  requests: number;
  endsAtMs: number;
}

export class RequestCounts {
  readonly #minutes = new Map<string, Minute>();
  #sweptAtMs = 0;

  /** Counts one. Gives how many there are in its minute, which the first of a key begins, and when that ends. */
  count(key: string): { readonly requests: number; readonly endsInMs: number } {
    const now = performance.now();
    const minute = this.#current(key, now) ?? this.#begin(key, now + MINUTE_MS);
    return { requests: ++minute.requests, endsInMs: minute.endsAtMs - now };
  }

  /** When the minute of the key ends; undefined where none goes on. */
  endsInMs(key: string): number | undefined {
    const now = performance.now();
    const minute = this.#current(key, now);
    return minute && minute.endsAtMs - now;
  }

  /**
   * Adds what another host has counted, in its minute of the key, which becomes this one's: each would begin at another moment
   * otherwise, and what came to one just after its minute had begun would not count where the minute before still went on.
   */
  add(key: string, requests: number, endsInMs: number): void {
    const now = performance.now();
    const endsAtMs = now + Math.min(endsInMs, MINUTE_MS);
    const minute = this.#current(key, now);
    const laterMs = minute ? endsAtMs - minute.endsAtMs : MINUTE_MS;
    if (endsAtMs <= now || laterMs < -MINUTE_MS / 2) return; // of the minute before
    if (!minute || laterMs > MINUTE_MS / 2) this.#begin(key, endsAtMs).requests = requests;
    else {
      minute.requests += requests;
      minute.endsAtMs = Math.min(minute.endsAtMs, endsAtMs);
    }
  }

  #current(key: string, now: number): Minute | undefined {
    const minute = this.#minutes.get(key);
    return minute && minute.endsAtMs > now ? minute : undefined;
  }

  #begin(key: string, endsAtMs: number): Minute {
    this.#sweep();
    const minute = { requests: 0, endsAtMs };
    this.#minutes.set(key, minute);
    return minute;
  }

  /** Once a minute, so that keys of which nothing comes any more are not kept. */
  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAtMs < MINUTE_MS) return;
    this.#sweptAtMs = now;
    for (const [key, { endsAtMs }] of this.#minutes) if (endsAtMs <= now) this.#minutes.delete(key);
  }
}
