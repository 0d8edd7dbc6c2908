/**
 * The places of all own-login connections of a host's processes. A connection keeps its place while it is open. Where
 * none is free, the connection that has been idle longest is closed, in whichever process it is.
 */
import { Places, type Leave } from "./shares.ts";
import { GatewayError } from "../../ground/errors.ts";

/** Whether a place was given. `busy`: the login has its whole share. `full`: other logins have all places. */
export type Taken = "taken" | "busy" | "full";

/** The places, as one process asks for them. */
export interface ConnectionPlaces {
  /** Waits up to `waitMs` for a place. */
  take(login: string, waitMs: number): Promise<Taken>;
  /** Gives back a place of the login, whose connection is closed. */
  leave(login: string): void;
  /** One of the login's connections is idle from now on. */
  idle(): void;
}

/** A process that opens connections. `login`: only that login's. */
export interface Opener {
  /** How long its longest idle connection is idle. Undefined: none is idle; it reports when one is. */
  idleMs(login?: string): Promise<number | undefined>;
  /** Closes that connection, and gives its place back before it answers. Returns false where none is idle. */
  closeIdle(login?: string): Promise<boolean>;
}

export interface HostConnectionsOptions {
  /** Connections of all logins together. */
  readonly ownConnections: number;
  /** The part that one login may have. Default 0.8. */
  readonly accountShare?: number | undefined;
}

export class HostConnections {
  readonly #places: Places;
  /** With the places of each. */
  readonly #openers = new Map<Opener, Map<Leave, string>>();
  #making: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor({ ownConnections, accountShare }: HostConnectionsOptions) {
    this.#places = new Places({ places: ownConnections, accountShare, waitMs: 0 });
  }

  /** How many connections are open, or about to be. */
  get taken(): number {
    return this.#places.taken;
  }

  /** Lets a process open connections, until it is `forgotten`. */
  join(opener: Opener): ConnectionPlaces {
    this.#openers.set(opener, new Map());
    return {
      take: (login, waitMs) => this.#take(opener, login, waitMs),
      leave: (login) => this.#leave(opener, login),
      idle: () => this.#makeRoom(),
    };
  }

  /** Its process has ended: its places are free. */
  forget(opener: Opener): void {
    const places = [...(this.#openers.get(opener)?.keys() ?? [])];
    this.#openers.delete(opener);
    for (const leave of places) leave();
  }

  async #take(opener: Opener, login: string, waitMs: number): Promise<Taken> {
    const taking = this.#places.take(login, undefined, waitMs);
    this.#makeRoom();
    try {
      const leave = await taking;
      const places = this.#openers.get(opener);
      if (places) places.set(leave, login);
      else leave(); // it has ended meanwhile
      return "taken";
    } catch (error) {
      return error instanceof GatewayError && error.code === "ACCOUNT_BUSY" ? "busy" : "full";
    }
  }

  #leave(opener: Opener, login: string): void {
    const places = this.#openers.get(opener);
    const [leave] = [...(places ?? [])].find(([, each]) => each === login) ?? [];
    if (!leave) return;
    places?.delete(leave);
    leave();
  }

  /** Closes idle connections while a request waits for a place. */
  #makeRoom(): void {
    if (this.#places.waiting === 0) return;
    this.#isAskedAgain = true;
    this.#making ??= this.#closeIdle().finally(() => (this.#making = undefined));
  }

  async #closeIdle(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      for (let closed = true; closed;) closed = await this.#closeOne();
    }
  }

  /** Closes a connection for the next waiting request. Returns whether there was one. */
  async #closeOne(): Promise<boolean> {
    for (const login of this.#places.nextCallers()) {
      const only = this.#places.hasShare(login) ? login : undefined; // others' are of no use to it
      const opener = await this.#longestIdle(only);
      if (opener && (await opener.closeIdle(only))) return true;
    }
    return false;
  }

  async #longestIdle(login: string | undefined): Promise<Opener | undefined> {
    const ages = await Promise.all(
      [...this.#openers.keys()].map(async (opener) => ({ opener, idleMs: await opener.idleMs(login) })),
    );
    const idle = ages.flatMap(({ opener, idleMs }) => (idleMs === undefined ? [] : [{ opener, idleMs }]));
    return idle.sort((one, other) => other.idleMs - one.idleMs)[0]?.opener;
  }
}
