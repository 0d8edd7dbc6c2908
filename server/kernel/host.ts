/** What the processes of one host share: the counts that its limits go by, and its figures. */
import { MemoryStore } from "express-rate-limit";

const MINUTE_MS = 60_000;

export interface Host {
  /** Counts one of `perMinute` requests of `key`. Gives after how many seconds to come again where it is one too many, else 0. */
  count(key: string, perMinute: number): Promise<number>;
  /** Takes one of `most` places of `key`. Gives false where there is none. */
  take(key: string, most: number): Promise<boolean>;
  /** Gives a place back. */
  leave(key: string): void;
  /** What Prometheus reads of all processes together. Undefined where this one is alone. */
  readonly metrics?: (() => Promise<string>) | undefined;
  close(): void;
}

/** Kept in this process: of one that is alone, or of the one that has workers. */
export class LocalHost implements Host {
  #requests: MemoryStore | undefined;
  readonly #places = new Map<string, number>();

  async count(key: string, perMinute: number): Promise<number> {
    if (!this.#requests) {
      this.#requests = new MemoryStore();
      this.#requests.init({ windowMs: MINUTE_MS } as Parameters<MemoryStore["init"]>[0]);
    }
    const { totalHits, resetTime } = await this.#requests.increment(key);
    if (totalHits <= perMinute) return 0;
    return Math.max(1, Math.ceil(((resetTime?.getTime() ?? Date.now() + MINUTE_MS) - Date.now()) / 1000));
  }

  take(key: string, most: number): Promise<boolean> {
    const taken = this.#places.get(key) ?? 0;
    if (taken >= most) return Promise.resolve(false);
    this.#places.set(key, taken + 1);
    return Promise.resolve(true);
  }

  leave(key: string): void {
    const left = (this.#places.get(key) ?? 0) - 1;
    if (left > 0) this.#places.set(key, left);
    else this.#places.delete(key);
  }

  close(): void {
    this.#requests?.shutdown();
  }
}
