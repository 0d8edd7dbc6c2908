/** How many requests a minute one address, or one account, may make of this host. */
import { GatewayError } from "../../ground/errors.ts";
import { networkOf, siteOf } from "./clientAddress.ts";

/** The networks of an IPv6 site (/48) together may do this many times as much as one of them (/64). */
export const SITE_SHARE = 16;

export interface RateLimiter {
  /** False where there is no limit. */
  readonly limits: boolean;
  /** Counts one request of `key`. Throws `RATE_LIMITED` (429) with `Retry-After` when it is one too many. */
  count(key: string): Promise<void>;
  /** Counts one request of the network of a caller, and of its site. Throws as `count`. */
  countAddress(address: string | undefined): Promise<void>;
}

export interface Counts {
  /** Counts one of `perMinute` requests of `key`. Returns the seconds to wait where the limit is exceeded, else 0. */
  count(key: string, perMinute: number): Promise<number>;
}

/** `perMinute`: 0 for no limit. */
export function createRateLimiter(perMinute: number, host: Counts): RateLimiter {
  const none = (): Promise<void> => Promise.resolve();
  if (perMinute === 0) return { limits: false, count: none, countAddress: none };
  return {
    limits: true,
    count: (key) => countKey(host, key, perMinute),
    countAddress: (address) => countAddress(host, { what: "address", address, perMinute }),
  };
}

/** Counts one of `perMinute` uses of `key`. Throws `RATE_LIMITED` (429) with `Retry-After` when it is one too many. */
export async function countKey(host: Counts, key: string, perMinute: number): Promise<void> {
  const seconds = await host.count(key, perMinute);
  if (seconds > 0) throw new GatewayError("RATE_LIMITED", undefined, { headers: { "Retry-After": String(seconds) } });
}

export interface AddressCount {
  /** What is counted. */
  readonly what: string;
  /** The caller's address. */
  readonly address: string | undefined;
  readonly perMinute: number;
}

/** Counts one use by the network of a caller, and by its site. Throws as `countKey`. */
export async function countAddress(host: Counts, { what, address = "", perMinute }: AddressCount): Promise<void> {
  await countKey(host, `${what} ${networkOf(address)}`, perMinute);
  const site = siteOf(address);
  if (site !== undefined) await countKey(host, `${what} ${site}`, perMinute * SITE_SHARE);
}
