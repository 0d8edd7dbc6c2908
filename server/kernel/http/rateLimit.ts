/** How many requests a minute one address, or one account, may make of this host. */
import { GatewayError } from "../../ground/errors.ts";

export interface RateLimiter {
  /** False where there is no limit. */
  readonly limits: boolean;
  /** Counts one request of `key`. Throws `RATE_LIMITED` (429) with `Retry-After` when it is one too many. */
  count(key: string): Promise<void>;
}

export interface Counts {
  /** Counts one of `perMinute` requests of `key`. Returns the seconds to wait where the limit is exceeded, else 0. */
  count(key: string, perMinute: number): Promise<number>;
}

/** `perMinute`: 0 for no limit. */
export function createRateLimiter(perMinute: number, host: Counts): RateLimiter {
  if (perMinute === 0) return { limits: false, count: () => Promise.resolve() };
  return {
    limits: true,
    async count(key) {
      const seconds = await host.count(key, perMinute);
      if (seconds > 0)
        throw new GatewayError("RATE_LIMITED", undefined, { headers: { "Retry-After": String(seconds) } });
    },
  };
}
