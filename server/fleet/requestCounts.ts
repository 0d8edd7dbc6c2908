/** Requests of the present minute, by key. Hosts that exchange their counts have the same minutes. */

const MINUTE_MS = 60_000;

interface Minute {
  requests: number;
  endsAtMs: number;
}

export class RequestCounts {
  readonly #minutes = new Map<string, Minute>();
  #sweptAtMs = 0;

  /**
   * Counts one request. Returns the count of its minute, which the first request of a key begins, and the end of the minute.
   */
  count(key: string): { readonly requests: number; readonly endsInMs: number } {
    const now = performance.now();
    const minute = this.#current(key, now) ?? this.#begin(key, now + MINUTE_MS);
    return { requests: ++minute.requests, endsInMs: minute.endsAtMs - now };
  }

  /** The end of the key's minute; undefined where there is none. */
  endsInMs(key: string): number | undefined {
    const now = performance.now();
    const minute = this.#current(key, now);
    return minute && minute.endsAtMs - now;
  }

  /**
   * Adds the counts of another host, and takes over its minute of the key. Without that, each host's minute would begin at
   * another moment, and a request just after one host's new minute would not count on hosts whose old minute still runs.
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

  /** Once a minute, so that keys without further requests are dropped. */
  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAtMs < MINUTE_MS) return;
    this.#sweptAtMs = now;
    for (const [key, { endsAtMs }] of this.#minutes) if (endsAtMs <= now) this.#minutes.delete(key);
  }
}
