/**
 * The connections that this process has opened as accounts, for all databases and MapServer. Each has a place of the
 * host.
 */
import { GatewayError } from "../../ground/errors.ts";
import { HostConnections, type ConnectionPlaces, type HostConnectionsOptions, type Opener } from "./hostConnections.ts";
import { tooMany, type Leave } from "./shares.ts";

/** Holds connections of one login or of several. */
export interface IdleSource {
  /** How long its longest idle connection is idle; undefined where none is. `login`: of this one alone. */
  idleMs(login?: string): number | undefined;
  /** Closes that one, and has given its place back when it resolves. */
  closeIdle(login?: string): Promise<boolean>;
}

export class OwnConnections implements Opener {
  readonly #places: ConnectionPlaces;
  readonly #sources = new Set<IdleSource>();
  /** Whether a request waits for an idle connection. */
  #isWanted = false;

  /** `join`: to the places of the host. */
  constructor(join: (opener: Opener) => ConnectionPlaces) {
    this.#places = join(this);
  }

  /** Connections with places of their own, for a process that shares none. */
  static alone(options: HostConnectionsOptions): OwnConnections {
    return new OwnConnections((opener) => new HostConnections(options).join(opener));
  }

  /**
   * Takes a place for a connection of the login, and returns a function that gives it back. Throws `ACCOUNT_BUSY` where
   * the login's share stays used up for `waitMs`, `UNAVAILABLE` where other logins hold all places, `CLIENT_GONE`.
   */
  async take(login: string, waitMs: number, signal?: AbortSignal): Promise<Leave> {
    const gone = Promise.withResolvers<"gone">();
    const leave = (): void => gone.resolve("gone");
    signal?.addEventListener("abort", leave, { once: true });
    try {
      const taking = this.#places.take(login, waitMs);
      const taken = await Promise.race([taking, gone.promise]);
      if (taken === "taken") return once(() => this.#places.leave(login));
      if (taken === "busy") throw new GatewayError("ACCOUNT_BUSY");
      if (taken === "full") throw tooMany();
      void taking.then((late) => late === "taken" && this.#places.leave(login));
      throw new GatewayError("CLIENT_GONE");
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  add(source: IdleSource): void {
    this.#sources.add(source);
  }

  remove(source: IdleSource): void {
    this.#sources.delete(source);
  }

  /** A connection is idle from now on: the next waiting request may have its place. */
  idle(): void {
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#places.idle();
  }

  idleMs(login?: string): Promise<number | undefined> {
    this.#isWanted = true;
    return Promise.resolve(this.#longestIdle(login)?.idleMs);
  }

  async closeIdle(login?: string): Promise<boolean> {
    return (await this.#longestIdle(login)?.source.closeIdle(login)) ?? false;
  }

  #longestIdle(login: string | undefined): { readonly source: IdleSource; readonly idleMs: number } | undefined {
    const idle = [...this.#sources].flatMap((source) => {
      const idleMs = source.idleMs(login);
      return idleMs === undefined ? [] : [{ source, idleMs }];
    });
    return idle.sort((one, other) => other.idleMs - one.idleMs)[0];
  }
}

function once(run: () => void): Leave {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
