/** Requests that hold a connection for as long as their client sends or reads: few at once. */
import { GatewayError } from "../../ground/errors.ts";
import { callerOf, Shares, type Database } from "../database/database.ts";
import type { Caller } from "./resource.ts";

export interface Few {
  /** Of one database, in one process. The last one is for a caller that has none. */
  readonly most: number;
  /** Of one account, or address of anonymous callers, so that a slow client does not keep all others out. */
  readonly mostOfCaller: number;
  /** The messages: about the caller's own requests, and about all. */
  readonly messages: { readonly caller: string; readonly others: string };
}

export class FewAtOnce {
  readonly #few: Few;
  readonly #running = new WeakMap<Database, Shares>();

  constructor(few: Few) {
    this.#few = few;
  }

  /** Throws `RATE_LIMITED` where too many go on already, of the caller or of all. */
  async run<T>(
    { database, identity, address }: Pick<Caller, "database" | "identity" | "address">,
    work: () => Promise<T>,
  ): Promise<T> {
    const { most, mostOfCaller, messages } = this.#few;
    let shares = this.#running.get(database);
    if (!shares) this.#running.set(database, (shares = new Shares({ places: most, mostOfCaller })));
    const caller = callerOf(identity, { address });
    if (!shares.allows(caller)) refuse(shares.hasShare(caller) ? messages.caller : messages.others);
    const leave = shares.take(caller);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

function refuse(reason: string): never {
  throw new GatewayError("RATE_LIMITED", `${reason}: try again later`, { headers: { "Retry-After": "10" } });
}
