/** Who has which connections of own logins, and who waits: those of one login, and those of all together. */
import { Places, type Caller, type Leave } from "./shares.ts";

export interface OwnPlacesOptions {
  /** Connections of all logins together. */
  readonly ownConnections: number;
  /** Connections of one login. */
  readonly ownPoolSize: number;
  readonly accountShare?: number | undefined;
  readonly connectTimeoutMs: number;
}

/** A login, and whether others than one account use it. */
export interface OwnLoginUse {
  readonly role: string;
  readonly isShared: boolean;
}

export class OwnPlaces {
  readonly #options: OwnPlacesOptions;
  readonly #all: Places;
  /** Of the logins that are used now. */
  readonly #ofLogins = new Map<string, Places>();
  /** Of logins that are used no more. */
  #refused = 0;

  constructor(options: OwnPlacesOptions) {
    this.#options = options;
    const { ownConnections, accountShare, connectTimeoutMs } = options;
    this.#all = new Places({ places: ownConnections, accountShare, waitMs: connectTimeoutMs });
  }

  /** How many wait now. */
  get waiting(): number {
    return [...this.#ofLogins.values()].reduce((sum, { waiting }) => sum + waiting, this.#all.waiting);
  }

  /** How many were refused because of their share. */
  get refused(): number {
    return [...this.#ofLogins.values()].reduce((sum, { refused }) => sum + refused, this.#all.refused + this.#refused);
  }

  /** Takes a connection at a place of its login, and of all. Throws as `Places.connect`. */
  async connect<W extends { onRelease(leave: Leave): void }>(
    { role, isShared }: OwnLoginUse,
    caller: Caller,
    signal: AbortSignal | undefined,
    connect: () => Promise<W>,
  ): Promise<W> {
    const endsAtMs = performance.now() + this.#options.connectTimeoutMs;
    const places = this.#placesOf(role, isShared);
    let leaveLogin: Leave | undefined;
    let leaveAll: Leave | undefined;
    const leave = (): void => {
      leaveAll?.();
      leaveLogin?.();
      this.#forgetUnused(role, places);
    };
    try {
      leaveLogin = await places.take(caller, signal);
      leaveAll = await this.#all.take(caller, signal, Math.max(0, endsAtMs - performance.now()));
      const wire = await connect();
      wire.onRelease(leave);
      return wire;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Refuses those who wait, and those who come. */
  close(): void {
    this.#all.close();
    for (const places of this.#ofLogins.values()) places.close();
  }

  #placesOf(role: string, isShared: boolean): Places {
    let places = this.#ofLogins.get(role);
    if (!places) {
      const { ownPoolSize, accountShare, connectTimeoutMs: waitMs } = this.#options;
      const share = isShared ? { accountShare } : { accountShare: 1, keepsLast: false }; // else the account has them all
      this.#ofLogins.set(role, (places = new Places({ places: ownPoolSize, waitMs, ...share })));
    }
    return places;
  }

  #forgetUnused(role: string, places: Places): void {
    if (places.taken > 0 || places.waiting > 0 || this.#ofLogins.get(role) !== places) return;
    this.#ofLogins.delete(role);
    this.#refused += places.refused;
  }
}
