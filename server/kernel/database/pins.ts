/**
 * Sessions that keep a caller's identity between its requests, so that a read of one statement need not set it first.
 * The statement itself compares the identity of the session, and raises an error if it differs.
 */
import { LRUCache } from "lru-cache";
import type { Basis } from "./begin.ts";
import type { Memory } from "./memory.ts";
import { PIN, sha256, type KnownSnapshot, type Pin } from "./pin.ts";
import { numberOf } from "./settings.ts";
import type { Wire } from "./wire/wire.ts";

/**
 * A session is set up again after this time. It limits changes that no catalogue shows, such as a revoked membership.
 */
const MOST_AGE_MS = 5000;

/** Resets the session to its state at the start. */
const UNPIN = "set session authorization default; reset all";

/** Removes the identity from a session, before anything else is sent. Rejects if that fails. */
export function unpin(wire: Wire): Promise<unknown> | undefined {
  if (!wire.pinned) return undefined;
  wire.pinned = undefined;
  return wire.command(UNPIN);
}

/** The identities of the connections in the pool of a database. */
export class Pins {
  readonly #memory: Pick<Memory, "version">;
  readonly #staysMs: number;
  #isForgone = false;
  /**
   * The most recent callers, as many as there are connections. If more callers take turns, none gets the session of
   * another.
   */
  readonly #recent: LRUCache<string, number>;
  answered = 0;
  /** Reads that were repeated in a transaction. */
  failed = 0;

  /**
   * `staysMs`: how long a caller must have been sending requests before it gets a session of its own. In short bursts of
   * many callers, sessions would change hands all the time, which costs more than a transaction.
   */
  constructor(memory: Pick<Memory, "version">, connections: number, staysMs: number) {
    this.#memory = memory;
    this.#staysMs = staysMs;
    this.#recent = new LRUCache({ max: connections });
  }

  /** No session stays anybody's from now on. */
  forgo(): void {
    this.#isForgone = true;
  }

  /** Records a request of the caller. Returns whether it stays, so that a session of its own is worth the cost. */
  isWanted({ key }: Pin): boolean {
    if (this.#isForgone) return false;
    const nowMs = performance.now();
    const firstMs = this.#recent.get(key);
    if (firstMs === undefined) this.#recent.set(key, nowMs);
    return firstMs !== undefined && nowMs - firstMs >= this.#staysMs;
  }

  /**
   * The best idle connection for a request: one of the caller, then a free one, then the one unused for longest.
   * Undefined: make a new one. `mayGrow`: whether there is room for another pinned session.
   */
  choose(idle: readonly Wire[], pin: Pin | undefined, mayGrow: boolean): Wire | undefined {
    const same = pin && idle.findLast(({ pinned }) => pinned?.pin.digest === pin.digest);
    const own = same ?? (pin && idle.findLast(({ pinned }) => pinned?.pin.key === pin.key));
    const best = own ?? idle.findLast(({ pinned }) => pinned === undefined);
    return best ?? (mayGrow ? undefined : idle[0]);
  }

  /** Whether the session is the caller's, in use or idle. */
  isOf({ pinned }: Wire, { key }: Pin): boolean {
    return pinned?.pin.key === key && pinned.version === this.#memory.version;
  }

  /** Whether the session is the caller's, with all of its settings. */
  isReady({ pinned }: Wire, { digest }: Pin): boolean {
    const isKnown = pinned?.pin.digest === digest && pinned.version === this.#memory.version;
    return isKnown && performance.now() - pinned.atMs < MOST_AGE_MS;
  }

  /** Makes the session the caller's. Later messages are answered in order. Rejects on failure. */
  pin(wire: Wire, pin: Pin): Promise<unknown> {
    const { pinned } = wire;
    const nowMs = performance.now();
    const isOwn = this.isOf(wire, pin);
    const isFresh = isOwn && nowMs - pinned!.atMs < MOST_AGE_MS;
    const undone = isOwn ? undefined : unpin(wire);
    wire.pinned = { pin, version: this.#memory.version, atMs: isFresh ? pinned!.atMs : nowMs };
    return Promise.all([undone, wire.readRows(isFresh ? pin.move : pin.become, ignore)]);
  }

  /** Marks the session as unknown: it is set up again before its next use. */
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
  /** Gives the snapshot of the statement by the text of the last column. Undefined if there is no such column. */
  readonly snapshotOf: ((text: string | null) => string | undefined) | undefined;
}

interface Wrapped {
  readonly text: string;
  readonly name: string;
}

/** Wrapped statements by their text: the 2000 most recently used, up to this number of characters. */
const wrapped = new LRUCache<string, Wrapped>({
  max: 2000,
  maxSize: 16_000_000,
  sizeCalculation: ({ text }, key) => key.length + text.length,
});

/**
 * Wraps the statement so that it raises before it reads anything, unless the session is the caller's and the basis of
 * the request is unchanged. The comparison is a condition without columns: PostgreSQL puts it on top of the plan, as a
 * One-Time Filter. Without `offset 0` it would put it into each part of a UNION. `wire`: the connection, where the read
 * is to tell its snapshot.
 */
export function pinnedRead(
  { text, name, values = [] }: { readonly text: string; readonly name: string; readonly values?: readonly unknown[] },
  pin: Pick<Pin, "role" | "digest">,
  basis: Basis | undefined,
  wire?: Pick<Wire, "snapshot">,
): PinnedRead {
  const key = `${name} ${wire !== undefined} ${numberOf(basis?.sql)}`;
  let known = wrapped.get(key);
  if (!known) wrapped.set(key, (known = wrap(text, values.length, basis, wire !== undefined)));
  const { text: all, name: allName } = known;
  const asked = [...values, pin.role, pin.digest];
  if (basis) asked.push(...(basis.values ?? []), basis.expected);
  if (!wire) return { text: all, name: allName, values: asked, snapshotOf: undefined };
  const { snapshot } = wire;
  asked.push(snapshot?.shown ?? "");
  const snapshotOf = (told: string | null): string | undefined => {
    if (told === null) return undefined;
    if (told !== "") wire.snapshot = readSnapshot(told);
    return told === "" ? snapshot?.ofData : wire.snapshot?.ofData;
  };
  return { text: all, name: allName, values: asked, snapshotOf };
}

/** `told`: both texts of a snapshot, neither of which has a space. */
function readSnapshot(told: string): KnownSnapshot {
  const [shown = "", ofData = ""] = told.split(" ");
  return { shown, ofData };
}

/**
 * The snapshot of the statement: NULL on a standby; empty if PostgreSQL shows the same one as parameter `known`; otherwise
 * both of its texts. `data_snapshot` depends on nothing but the snapshot, and takes longer than a small read.
 */
const snapshotSql = (known: string): string => `case
  when pg_catalog.pg_is_in_recovery() then null
  when pg_catalog.pg_current_snapshot()::pg_catalog.text operator(pg_catalog.=) ${known} then ''
  else pg_catalog.concat(pg_catalog.pg_current_snapshot(), ' ', portolan.data_snapshot()) end`;

/** No setting can have such a name. */
const raise = (why: string): string => `pg_catalog.current_setting('${why}') operator(pg_catalog.=) ''`;
/** PostgreSQL's message for the error of `raise`. */
const CHANGED = "what the request was made of is not so any more";

function wrap(text: string, count: number, basis: Basis | undefined, tellsSnapshot: boolean): Wrapped {
  const own = basis && shifted(basis.sql, count + 2);
  const last = count + 3 + (basis?.values?.length ?? 0);
  const snapshot = tellsSnapshot ? `, (select ${snapshotSql(`$${basis ? last + 1 : last}`)})` : "";
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

/** The text with its parameters renumbered to follow this many others. */
function shifted(text: string, by: number): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + by}`);
}

/** Whether the statement has reported another basis. The session is then unchanged. */
export function isOfBasis(error: unknown): boolean {
  return error instanceof Error && error.message.includes(CHANGED);
}
