/** How many requests a minute one address, or one account, may make of this process. */
import { MemoryStore } from "express-rate-limit";
import { GatewayError } from "../errors.ts";

export interface RateLimiter {
  /** False where there is no limit. */
  readonly limits: boolean;
  /** Counts one request of `key`. Throws `RATE_LIMITED` (429) with `Retry-After` when it is one too many. */
  count(key: string): Promise<void>;
  close(): void;
}

/** `perMinute`: 0 for no limit. */
export function createRateLimiter(perMinute: number): RateLimiter {
  if (perMinute === 0) return { limits: false, count: () => Promise.resolve(), close: () => undefined };
  const store = new MemoryStore();
  store.init({ windowMs: 60_000 } as Parameters<MemoryStore["init"]>[0]);
  return {
    limits: true,
    async count(key) {
      const { totalHits, resetTime } = await store.increment(key);
      if (totalHits <= perMinute) return;
      const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? Date.now() + 60_000) - Date.now()) / 1000));
      throw new GatewayError("RATE_LIMITED", undefined, { headers: { "Retry-After": String(seconds) } });
    },
    close: () => store.shutdown(),
  };
}
