/**
 * Sessions that keep a caller's identity between its requests, so that a read of one statement need not set it first. The
 * statement itself compares the identity of the session, and raises where it is another one.
 */
import { LRUCache } from "lru-cache";
import type { Basis } from "./begin.ts";
import type { Memory } from "./memory.ts";
import { PIN, sha256, type Pin } from "./pin.ts";
import { numberOf } from "./settings.ts";
import type { Wire } from "./wire/wire.ts";

/** A session is set again after this time, which bounds changes that no catalogue shows, such as a revoked membership. */
const MOST_AGE_MS = 5000;

/** Gives the session the state of its beginning. */
const UNPIN = "set session authorization default; reset all";

/** Takes the identity from a session, before anything else is sent. Rejects where that fails. */
export function unpin(wire: Wire): Promise<unknown> | undefined {
  if (!wire.pinned) return undefined;
  wire.pinned = undefined;
  return wire.command(UNPIN);
}

/** The identities of the connections in the pool of a database. */
export class Pins {
  readonly #memory: Pick<Memory, "version">;
  /** The most recent callers, as many as there are connections, so that more callers in turn take none from each other. */
  readonly #recent: LRUCache<string, true>;
  answered = 0;
  /** Reads that were answered the ordinary way in the end. */
  failed = 0;

  constructor(memory: Pick<Memory, "version">, connections: number) {
    this.#memory = memory;
    this.#recent = new LRUCache({ max: connections });
  }

  /** Notes that the caller came. Gives whether it came lately, so that a session of its own is worth making. */
  isWanted({ key }: Pin): boolean {
    const isRecent = this.#recent.get(key) !== undefined;
    if (!isRecent) this.#recent.set(key, true);
    return isRecent;
  }

  /**
   * The idle connection that serves a request best: one that is the caller's, or nobody's; else the one that was not used for
   * the longest time. Undefined: a new one is to be made. `mayGrow`: whether there is room for one that stays the caller's.
   */
  choose(idle: readonly Wire[], pin: Pin | undefined, mayGrow: boolean): Wire | undefined {
    const same = pin && idle.findLast(({ pinned }) => pinned?.pin.digest === pin.digest);
    const own = same ?? (pin && idle.findLast(({ pinned }) => pinned?.pin.key === pin.key));
    const best = own ?? idle.findLast(({ pinned }) => pinned === undefined);
    return best ?? (mayGrow ? undefined : idle[0]);
  }

  /** Whether the session is the caller's, wherever that is. */
  isOf({ pinned }: Wire, { key }: Pin): boolean {
    return pinned?.pin.key === key && pinned.version === this.#memory.version;
  }

  /**
   * Makes the session the caller's; undefined where it is that. What is sent is answered in its order; rejects where it could
   * not be.
   */
  pin(wire: Wire, pin: Pin): Promise<unknown> | undefined {
    const { pinned } = wire;
    const nowMs = performance.now();
    const isOwn = this.isOf(wire, pin);
    const isFresh = isOwn && nowMs - pinned!.atMs < MOST_AGE_MS;
    if (isFresh && pinned!.pin.digest === pin.digest) return undefined;
    const undone = isOwn ? undefined : unpin(wire);
    wire.pinned = { pin, version: this.#memory.version, atMs: isFresh ? pinned!.atMs : nowMs };
    return Promise.all([undone, wire.readRows(isFresh ? pin.move : pin.become, ignore)]);
  }

  /** Whatever the session is: it is made anew before it is used again. */
  distrust(wire: Wire): void {
    if (wire.pinned) wire.pinned = { ...wire.pinned, version: -1 };
  }
}

function ignore(): void {}

/** A read on a session that may be the caller's already. */
export interface PinnedRead {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
  /** Whether the last column is the snapshot of the statement, as `portolan.data_snapshot` tells it. */
  readonly tellsSnapshot: boolean;
}

interface Wrapped {
  readonly text: string;
  readonly name: string;
}

/** By what they wrap: 2000 of those that were used last, and not more than so many characters. */
const wrapped = new LRUCache<string, Wrapped>({
  max: 2000,
  maxSize: 16_000_000,
  sizeCalculation: ({ text }, key) => key.length + text.length,
});

/**
 * The statement, which raises before it reads anything unless the session is the caller's, and what the request was made of
 * is so still. The comparison is a condition of no row: PostgreSQL puts it on top of the plan, as a One-Time Filter. Without
 * `offset 0` it would put it into each part of a UNION.
 */
export function pinnedRead(
  { text, name, values = [] }: { readonly text: string; readonly name: string; readonly values?: readonly unknown[] },
  pin: Pick<Pin, "role" | "digest">,
  basis: Basis | undefined,
  tellsSnapshot: boolean,
): PinnedRead {
  const key = `${name} ${tellsSnapshot} ${numberOf(basis?.sql)}`;
  let known = wrapped.get(key);
  if (!known) wrapped.set(key, (known = wrap(text, values.length, basis, tellsSnapshot)));
  const asked = basis ? [...(basis.values ?? []), basis.expected] : [];
  return { ...known, tellsSnapshot, values: [...values, pin.role, pin.digest, ...asked] };
}

/** No setting can have such a name. */
const raise = (why: string): string => `pg_catalog.current_setting('${why}') operator(pg_catalog.=) ''`;
/** PostgreSQL's text for what `raise` raises. */
const CHANGED = "what the request was made of is not so any more";

function wrap(text: string, count: number, basis: Basis | undefined, tellsSnapshot: boolean): Wrapped {
  const snapshot = tellsSnapshot
    ? ", (select case when not pg_catalog.pg_is_in_recovery() then portolan.data_snapshot() end)"
    : "";
  const own = basis && shifted(basis.sql, count + 2);
  const last = count + 3 + (basis?.values?.length ?? 0);
  const isSame =
    own === undefined
      ? "true"
      : `case when (${own}) operator(pg_catalog.=) $${last} then true else ${raise(CHANGED)} end`;
  const all = `select p.*${snapshot} from (select i.* from (${text}) i offset 0) p where (select case
  when pg_catalog.current_setting('role') operator(pg_catalog.=) $${count + 1}
    and pg_catalog.current_setting('${PIN}', true) operator(pg_catalog.=) $${count + 2} then ${isSame}
  else ${raise("the session is not the caller''s")} end)`;
  return { text: all, name: `pinned ${sha256(all)}` };
}

/** The text with parameters that begin after so many others. */
function shifted(text: string, by: number): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + by}`);
}

/** Whether the statement has said that the basis is another one: the session is as it was left. */
export function isOfBasis(error: unknown): boolean {
  return error instanceof Error && error.message.includes(CHANGED);
}
