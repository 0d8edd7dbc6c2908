/** The places of own logins in this process: taken and waited for. The host counts those of all logins. */
import { GatewayError } from "../../ground/errors.ts";
import { Places, type Caller, type Leave } from "./shares.ts";

export interface OwnPlacesOptions {
  /** Connections of one login. */
  readonly ownPoolSize: number;
  readonly accountShare?: number | undefined;
  readonly connectTimeoutMs: number;
}

/** A login, and whether several accounts use it. */
export interface OwnLoginUse {
  readonly role: string;
  readonly isShared: boolean;
}

export class OwnPlaces {
  readonly #options: OwnPlacesOptions;
  /** Places of the logins that are in use. */
  readonly #ofLogins = new Map<string, Places>();
  /** For a place of the host's. */
  #connecting = 0;
  /** Requests that were refused by the host's limit, or at logins that are no longer in use. */
  #refused = 0;

  constructor(options: OwnPlacesOptions) {
    this.#options = options;
  }

  /** How many wait now. */
  get waiting(): number {
    return [...this.#ofLogins.values()].reduce((sum, { waiting }) => sum + waiting, this.#connecting);
  }

  /** How many were refused because of their share. */
  get refused(): number {
    return [...this.#ofLogins.values()].reduce((sum, { refused }) => sum + refused, this.#refused);
  }

  /** Takes a connection at a place of its login. `connect` gets the longest wait. Throws as `Places.connect`. */
  async connect<W extends { onRelease(leave: Leave): void }>(
    { role, isShared }: OwnLoginUse,
    caller: Caller,
    signal: AbortSignal | undefined,
    connect: (waitMs: number) => Promise<W>,
  ): Promise<W> {
    const endsAtMs = performance.now() + this.#options.connectTimeoutMs;
    const places = this.#placesOf(role, isShared);
    try {
      return await places.connect(caller, signal, () =>
        this.#counting(() => connect(Math.max(0, endsAtMs - performance.now()))),
      );
    } finally {
      this.#forgetUnused();
    }
  }

  /** Counts it among those who wait, and a refusal. */
  async #counting<T>(connect: () => Promise<T>): Promise<T> {
    this.#connecting++;
    try {
      return await connect();
    } catch (error) {
      if (error instanceof GatewayError && error.code === "ACCOUNT_BUSY") this.#refused++;
      throw error;
    } finally {
      this.#connecting--;
    }
  }

  /** Refuses waiting and later requests. */
  close(): void {
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

  #forgetUnused(): void {
    for (const [role, { taken, waiting, refused }] of this.#ofLogins) {
      if (taken > 0 || waiting > 0) continue;
      this.#ofLogins.delete(role);
      this.#refused += refused;
    }
  }
}
