/**
 * Sessions that keep a caller's identity between its requests, so that a read of one statement need not set it first.
 * The statement itself compares the identity of the session, and raises an error if it differs.
 */
import { LRUCache } from "lru-cache";
import type { Basis } from "./begin.ts";
import type { Memory } from "./memory.ts";
import { PIN, sha256, type Becoming, type KnownSnapshot, type Pin, type Pinned } from "./pin.ts";
import { numberOf } from "./settings.ts";
import type { Wire } from "./wire/wire.ts";

/**
 * A session is set up again after this time. It limits changes that no catalogue shows, such as a revoked membership.
 */
const MOST_AGE_MS = 5000;

/**
 * After this number of reads without a write, sessions are also changed for callers that do not stay. A session that has
 * lost its identity to a write costs more than a transaction.
 */
const ENOUGH_READS = 8;

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
  /**
   * Whether the database is the coordinator of a Citus cluster. Citus would send the condition of a read to a worker, which does
   * not know the session, so the session is compared by a statement ahead of it.
   */
  isCluster = false;
  /** Reads since the latest request that takes the identity from a session. */
  #readsInRow = 0;
  /** The most recent callers, as many as there are connections. If more callers take turns, none of them stays. */
  readonly #recent: LRUCache<string, number>;
  answered = 0;
  /** Reads that were repeated in a transaction. */
  failed = 0;

  /**
   * `staysMs`: how long a caller must have been sending requests before the pool grows for it, so that it gets a session
   * of its own. Other callers take a session of somebody else.
   */
  constructor(memory: Pick<Memory, "version">, connections: number, staysMs: number) {
    this.#memory = memory;
    this.#staysMs = staysMs;
    this.#recent = new LRUCache({ max: connections });
  }

  /** Records a request of the caller. Returns whether it stays, so that a session of its own is worth a connection. */
  stays({ key }: Pin): boolean {
    const nowMs = performance.now();
    const firstMs = this.#recent.get(key);
    if (firstMs === undefined) this.#recent.set(key, nowMs);
    return firstMs !== undefined && nowMs - firstMs >= this.#staysMs;
  }

  /** Records a read of one statement. Returns whether the session may be its caller's, so that no transaction is needed. */
  isWorth(pin: Pin): boolean {
    return ++this.#readsInRow > ENOUGH_READS || this.stays(pin);
  }

  /**
   * The best idle connection for a request: one of the caller, else the caller's favourite among them. Undefined: make a
   * new one. `mayGrow`: whether there is room for another pinned session.
   */
  choose(idle: readonly Wire[], { pin, role }: Asking, mayGrow: boolean): Wire | undefined {
    if (!pin) this.#readsInRow = 0;
    const same = pin && idle.findLast(({ pinned }) => pinned?.pin.digest === pin.digest);
    const own = same ?? (pin && idle.findLast(({ pinned }) => pinned?.pin.key === pin.key));
    if (own) return own;
    const free = pin && !mayGrow ? idle : idle.filter(({ pinned }) => pinned === undefined);
    return favourite(free, role) ?? (mayGrow ? undefined : favourite(idle, role));
  }

  /** Whether the session is the caller's, in use or idle. */
  isOf({ pinned }: Wire, { key }: Pin): boolean {
    return pinned?.pin.key === key && pinned.version === this.#memory.version;
  }

  /** Whether the session is the caller's, with all of its settings. */
  isReady({ pinned }: Wire, { digest }: Pin): boolean {
    const isKnown = pinned?.pin.digest === digest && pinned.version === this.#memory.version;
    return isKnown && isFresh(pinned);
  }

  /** Makes the session the caller's. Later messages are answered in order. Rejects on failure. */
  pin(wire: Wire, pin: Pin): Promise<unknown> {
    const from = this.#changedFrom(wire, pin);
    const undone = from ? undefined : unpin(wire);
    this.#note(wire, pin);
    return Promise.all([undone, wire.readRows(from ? pin.shape.change(from, pin) : pin.shape.become(pin), ignore)]);
  }

  /**
   * What makes the session the caller's in the message of a read, whose failure undoes it. Undefined where it must be sent
   * before: the session may not be read-only yet.
   */
  ahead(wire: Wire, pin: Pin): Becoming | undefined {
    const from = this.#changedFrom(wire, pin);
    if (!from) return undefined;
    const change = pin.shape.change(from, pin);
    if (!wire.isPrepared(change.name)) return undefined;
    wire.remember(change.name);
    this.#note(wire, pin);
    return change;
  }

  /** The identity that the session has, where the settings that differ are enough to change it. */
  #changedFrom({ pinned }: Wire, pin: Pin): Pin | undefined {
    if (pinned?.version !== this.#memory.version) return undefined;
    // PostgreSQL counts the time from the beginning of a message, and a limit for locks replaces no shorter one
    if (pinned.pin.timeoutMs !== pin.timeoutMs || pinned.pin.lockLimit !== pin.lockLimit) return undefined;
    // a change to another role asks PostgreSQL whether the login may still become it
    return pinned.pin.role !== pin.role || isFresh(pinned) ? pinned.pin : undefined;
  }

  #note(wire: Wire, pin: Pin): void {
    const { version } = this.#memory;
    const { pinned } = wire;
    const isSame = pinned?.version === version && pinned.pin.role === pin.role && isFresh(pinned);
    wire.pinned = { pin, version, atMs: isSame ? pinned.atMs : performance.now() };
  }

  /** Marks the session as unknown: it is set up again before its next use. */
  distrust(wire: Wire): void {
    if (wire.pinned) wire.pinned = { ...wire.pinned, version: -1 };
  }
}

/** A request that wants a connection. */
export interface Asking {
  /** Undefined where the session loses its identity. */
  readonly pin: Pin | undefined;
  /** The role that it runs as. */
  readonly role: string;
}

/**
 * The connection that the role prefers, by rendezvous hashing. Each process of PostgreSQL keeps the memberships of the
 * roles that it has seen, and PostgreSQL 16 and earlier search that list from its start, so each should see few roles.
 */
function favourite(idle: readonly Wire[], role: string): Wire | undefined {
  const [first] = idle;
  if (idle.length < 2) return first;
  let hash = 0;
  for (let at = 0; at < role.length; at++) hash = Math.imul(hash ^ role.charCodeAt(at), 0x01000193);
  let best = first;
  let most = -1;
  for (const wire of idle) {
    const mixed = Math.imul(hash ^ Math.imul(wire.processId, 0x9e3779b1), 0x85ebca6b);
    const weight = (mixed ^ (mixed >>> 15)) >>> 0;
    if (weight > most) [best, most] = [wire, weight];
  }
  return best;
}

function isFresh({ atMs }: Pinned): boolean {
  return performance.now() - atMs < MOST_AGE_MS;
}

function ignore(): void {}

/** A read on a session that may be the caller's already. */
export interface PinnedRead {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
  /** Compares the session, in a statement ahead of the read. Undefined where the read does it itself. */
  readonly check?: PinnedCheck | undefined;
  /** Gives the snapshot of the statement by the text of the last column. Undefined if there is no such column. */
  readonly snapshotOf: ((text: string | null) => string | undefined) | undefined;
}

/** A statement that raises unless the session is the caller's and the basis of the request is unchanged. */
export interface PinnedCheck {
  readonly text: string;
  readonly name: string;
  readonly values: readonly string[];
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
  const next = count + 3 + (basis ? (basis.values?.length ?? 0) + 1 : 0);
  const snapshot = tellsSnapshot ? `, (select ${snapshotSql(`$${next}`)})` : "";
  const all = `select p.*${snapshot} from (select i.* from (${text}) i offset 0) p where ${condition(count, basis)}`;
  return { text: all, name: `pinned ${sha256(all)}` };
}

/**
 * True, or an error. Its parameters follow this many others: the role, the digest, those of the basis, the value that is
 * expected of that.
 */
function condition(count: number, basis: Basis | undefined): string {
  const own = basis && shifted(basis.sql, count + 2);
  const last = count + 3 + (basis?.values?.length ?? 0);
  const isSame =
    own === undefined
      ? "true"
      : `case when (${own}) operator(pg_catalog.=) $${last} then true else ${raise(CHANGED)} end`;
  return `(select case
  when pg_catalog.current_setting('role') operator(pg_catalog.=) $${count + 1}
    and pg_catalog.current_setting('${PIN}', true) operator(pg_catalog.=) $${count + 2} then ${isSame}
  else ${raise("the session is not the caller''s")} end)`;
}

/** The statements that compare the session, by the number of the basis. */
const checks = new LRUCache<string, Wrapped>({ max: 1000 });

/**
 * The read as it is, behind a statement that raises before it, unless the session is the caller's and the basis of the request is
 * unchanged. Both go out in one message, so that PostgreSQL leaves out the read if the comparison fails.
 */
export function checkedRead(
  { text, name, values = [] }: { readonly text: string; readonly name: string; readonly values?: readonly unknown[] },
  pin: Pick<Pin, "role" | "digest">,
  basis: Basis | undefined,
): PinnedRead {
  const key = numberOf(basis?.sql).toString();
  let known = checks.get(key);
  if (!known) {
    const check = `select where ${condition(0, basis)}`;
    checks.set(key, (known = { text: check, name: `portolan check ${sha256(check)}` }));
  }
  const asked = [pin.role, pin.digest, ...(basis ? [...(basis.values ?? []), basis.expected!] : [])];
  return { text, name, values, check: { ...known, values: asked }, snapshotOf: undefined };
}

/** The text with its parameters renumbered to follow this many others. */
function shifted(text: string, by: number): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + by}`);
}

/** Whether the statement has reported another basis. The session is then unchanged. */
export function isOfBasis(error: unknown): boolean {
  return error instanceof Error && error.message.includes(CHANGED);
}
