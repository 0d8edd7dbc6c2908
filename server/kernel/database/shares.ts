/** Shares of a scarce resource: no caller gets all places, even if nobody else waits. */
import { GatewayError } from "../../ground/errors.ts";
import { networkOf } from "../http/clientAddress.ts";
import type { Identity, RequestContext } from "./begin.ts";

/** The account that asks, or the address of an anonymous caller; undefined for the gateway's own use, which has no limit. */
export type Caller = string | undefined;

/** Gives a place back. Later calls have no effect. */
export type Leave = () => void;

const DEFAULT_ACCOUNT_SHARE = 0.8;

/** Anonymous callers have a share for each address, since they are not one account. */
export function callerOf({ name }: Pick<Identity, "name">, { address = "" }: Pick<RequestContext, "address">): string {
  return name === "anonymous" ? `address ${networkOf(address)}` : `account ${name}`;
}

/** Somebody who waits for a place. */
export interface Claimant {
  readonly caller: Caller;
  /** Higher than that of all earlier ones. */
  readonly number: number;
}

export interface SharesOptions {
  readonly places: number;
  /** The part that one caller may have; at least one place. Default 0.8. */
  readonly accountShare?: number | undefined;
  /** The places that one caller may have, in place of `accountShare`. */
  readonly mostOfCaller?: number | undefined;
  /** Whether the last one of several places is for callers that have none. Default true. */
  readonly keepsLast?: boolean | undefined;
}

/** Counts who has which places. It decides who may take one; it does not wait. */
export class Shares {
  readonly #places: number;
  readonly #most: number;
  readonly #keepsLast: boolean;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor({ places, accountShare = DEFAULT_ACCOUNT_SHARE, mostOfCaller, keepsLast = true }: SharesOptions) {
    this.#places = places;
    this.#keepsLast = keepsLast;
    this.#most = mostOfCaller ?? Math.max(1, Math.floor(accountShare * places));
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many places the caller has. The gateway itself counts as having none, so that it goes first. */
  held(caller: Caller): number {
    return caller === undefined ? 0 : (this.#held.get(caller) ?? 0);
  }

  /** Whether the caller may take a place now. */
  allows(caller: Caller): boolean {
    const free = this.#places - this.#taken;
    const held = this.held(caller);
    return free > 0 && held < this.#most && (held === 0 || free > 1 || !this.#keepsLast);
  }

  /** Whether the caller has all the places that one caller may have. */
  hasShare(caller: Caller): boolean {
    return this.held(caller) >= this.#most;
  }

  /** Whether the caller would have a place if it had no others, so that its own requests are the reason for waiting. */
  isOverShare(caller: Caller): boolean {
    return this.hasShare(caller) || (this.held(caller) > 0 && this.#taken < this.#places);
  }

  take(caller: Caller): Leave {
    this.#count(caller, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(caller, -1);
    };
  }

  /**
   * The next caller to get a place: of those that may, the one with the fewest places, then the first. Undefined: none
   * may.
   */
  next<W extends Claimant>(waiting: Iterable<W>): W | undefined {
    let best: W | undefined;
    for (const one of waiting) if (this.allows(one.caller) && (!best || this.#isBefore(one, best))) best = one;
    return best;
  }

  #isBefore(one: Claimant, other: Claimant): boolean {
    const difference = this.held(one.caller) - this.held(other.caller);
    return difference < 0 || (difference === 0 && one.number < other.number);
  }

  #count(caller: Caller, change: 1 | -1): void {
    this.#taken += change;
    if (caller === undefined) return;
    const held = this.held(caller) + change;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }
}

interface Waiting extends Claimant {
  readonly start: (leave: Leave) => void;
  readonly refuse: (error: GatewayError) => void;
}

export interface PlacesOptions extends SharesOptions {
  /** How long a caller waits for a place. */
  readonly waitMs: number;
}

/** Places that callers wait for, e.g. the connections of a pool. */
export class Places {
  readonly #shares: Shares;
  readonly #waitMs: number;
  /** Waiting requests of each caller, in order. There may be thousands of requests, but of few callers. */
  readonly #waiting = new Map<Caller, Set<Waiting>>();
  #came = 0;
  #refused = 0;
  #isClosed = false;

  constructor(options: PlacesOptions) {
    this.#shares = new Shares(options);
    this.#waitMs = options.waitMs;
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#shares.taken;
  }

  /** How many wait now. */
  get waiting(): number {
    let count = 0;
    for (const { size } of this.#waiting.values()) count += size;
    return count;
  }

  /** How many were refused because of their share. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether the caller has all the places that one caller may have. */
  hasShare(caller: Caller): boolean {
    return this.#shares.hasShare(caller);
  }

  /** The callers that wait, the one with the fewest places first. */
  nextCallers(): readonly Caller[] {
    return [...this.#waiting.keys()].sort((one, other) => this.#shares.held(one) - this.#shares.held(other));
  }

  /** Throws `ACCOUNT_BUSY` where the caller's share is the reason that it got none in time, `UNAVAILABLE`, `CLIENT_GONE`. */
  async take(caller: Caller, signal?: AbortSignal, waitMs = this.#waitMs): Promise<Leave> {
    if (this.#isClosed) throw tooMany();
    if (this.#shares.allows(caller)) return this.#give(caller);
    let timer: NodeJS.Timeout | undefined;
    let gone: (() => void) | undefined;
    try {
      return await new Promise<Leave>((start, refuse) => {
        const waiting = { caller, number: ++this.#came, start, refuse };
        this.#add(waiting);
        timer = setTimeout(() => this.#drop(waiting, this.#late(caller)), waitMs);
        gone = () => this.#drop(waiting, new GatewayError("CLIENT_GONE"));
        if (signal?.aborted) gone();
        signal?.addEventListener("abort", gone, { once: true });
      });
    } finally {
      clearTimeout(timer);
      if (gone) signal?.removeEventListener("abort", gone);
    }
  }

  /**
   * Takes a connection at a place. The place is given back with it, or if there is no connection. Throws what `connect`
   * throws.
   */
  async connect<W extends { onRelease(leave: Leave): void }>(
    caller: Caller,
    signal: AbortSignal | undefined,
    connect: () => Promise<W>,
  ): Promise<W> {
    const leave = await this.take(caller, signal);
    try {
      const wire = await connect();
      wire.onRelease(leave);
      return wire;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The same at once; undefined where the caller has to wait, or `connect` has none. */
  connectNow<W extends { onRelease(leave: Leave): void }>(caller: Caller, connect: () => W | undefined): W | undefined {
    if (this.#isClosed || !this.#shares.allows(caller)) return undefined;
    const wire = connect();
    wire?.onRelease(this.#give(caller));
    return wire;
  }

  /** Refuses waiting and later requests. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting.values()].flatMap((queue) => [...queue])) this.#drop(waiting, tooMany());
  }

  #give(caller: Caller): Leave {
    const leave = this.#shares.take(caller);
    return () => {
      leave();
      this.#next();
    };
  }

  #next(): void {
    if (this.#waiting.size === 0) return;
    for (let one = this.#shares.next(this.#firsts()); one; one = this.#shares.next(this.#firsts())) {
      this.#remove(one);
      one.start(this.#give(one.caller));
    }
  }

  /** The first one of each caller. */
  *#firsts(): Iterable<Waiting> {
    for (const [first] of this.#waiting.values()) if (first) yield first;
  }

  #add(waiting: Waiting): void {
    const queue = this.#waiting.get(waiting.caller);
    if (queue) queue.add(waiting);
    else this.#waiting.set(waiting.caller, new Set([waiting]));
  }

  /** Whether it was still waiting. */
  #remove(waiting: Waiting): boolean {
    const queue = this.#waiting.get(waiting.caller);
    const wasThere = queue?.delete(waiting) ?? false;
    if (queue?.size === 0) this.#waiting.delete(waiting.caller);
    return wasThere;
  }

  #drop(waiting: Waiting, error: GatewayError): void {
    if (this.#remove(waiting)) waiting.refuse(error);
  }

  #late(caller: Caller): GatewayError {
    if (!this.#shares.isOverShare(caller)) return tooMany();
    this.#refused++;
    return new GatewayError("ACCOUNT_BUSY");
  }
}

/** Without a cause: load is the only one. */
export function tooMany(): GatewayError {
  return new GatewayError("UNAVAILABLE", "Too many requests wait for the database at the moment");
}
