/** A connection for one transaction: taken when it is first needed, and given back in one place. */
import {
  GatewayError,
  SQLSTATE,
  isConnectionLost,
  isRoleGone,
  isOutdatedPlan,
  isReplacedType,
  isServerGoing,
  sqlstateOf,
} from "../../ground/errors.ts";
import type { Wire } from "./wire/wire.ts";

export interface LeaseOptions {
  /** Takes a connection. It is given back in every case. */
  readonly connect: () => Promise<Wire>;
  /** Takes an idle connection at once; undefined where there is none. Default none. */
  readonly connectNow?: (() => Wire | undefined) | undefined;
  /** When it fires, the running statement is cancelled: the caller is gone. */
  readonly signal: AbortSignal | undefined;
}

export class Lease {
  readonly #options: LeaseOptions;
  #coming: Promise<Wire> | undefined;
  #wire: Wire | undefined;
  #isLost = false;
  #cancelled: Promise<void> | undefined;
  /** Names of statements whose plans DDL has made useless. */
  readonly #outdated: string[] = [];
  #ignoreSignal: () => void = () => undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Takes the connection, once. Throws `UNAVAILABLE` when there is none, `CLIENT_GONE`. */
  take(): Promise<Wire> {
    return (this.#coming ??= this.#take());
  }

  /** The same without waiting; undefined where a connection is not free at once. */
  takeNow(): Wire | undefined {
    this.refuseGone();
    const wire = (this.#wire = this.#options.connectNow?.());
    if (wire) this.#heed(wire);
    return wire;
  }

  /** The connection, from when it is taken. */
  get taken(): Wire | undefined {
    return this.#wire;
  }

  /** Whether it must not serve another request. */
  get isLost(): boolean {
    return this.#isLost;
  }

  markLost(): void {
    this.#isLost = true;
  }

  /** Notes what the failure of a statement, prepared under `name`, says about the connection. */
  note(error: unknown, name?: string): void {
    if (isConnectionLost(error) || isRoleGone(error)) this.#isLost = true;
    if (isServerGoing(error)) this.#wire?.abandonPool();
    if ((isOutdatedPlan(error) || isReplacedType(error)) && name !== undefined) this.#outdated.push(name);
  }

  /** Throws `UNAVAILABLE` where the server refused a write because it takes none (any more). Another server may. */
  refuseStandby(error: unknown, isOurs: boolean): void {
    if (sqlstateOf(error) !== SQLSTATE.readOnlyTransaction || !(isOurs || this.#wire?.isReadOnly)) return;
    this.#wire?.abandonPool();
    throw new GatewayError("UNAVAILABLE", "The database takes no writes at the moment", { cause: error });
  }

  /** Throws `CLIENT_GONE` when the caller has left. */
  refuseGone(cause?: unknown): void {
    if (this.#options.signal?.aborted) throw new GatewayError("CLIENT_GONE", undefined, { cause });
  }

  /** Stops cancelling. Resolves when PostgreSQL has handled the cancels that were sent. */
  settle(): Promise<void> | undefined {
    this.#ignoreSignal();
    return this.#cancelled;
  }

  /** Drops the useless prepared statements; outside a transaction. */
  forgetOutdated(): Promise<unknown> | undefined {
    const wire = this.#wire;
    if (this.#outdated.length === 0 || !wire) return undefined;
    return Promise.all(this.#outdated.map((name) => wire.forget(name)));
  }

  /** Gives the connection back: to its pool, or closed. */
  giveBack(): void {
    this.#wire?.release(this.#isLost);
  }

  async #take(): Promise<Wire> {
    const { connect } = this.#options;
    this.refuseGone();
    let wire: Wire;
    try {
      wire = this.#wire = await connect();
    } catch (error) {
      this.#coming = undefined;
      throw error instanceof GatewayError ? error : new GatewayError("UNAVAILABLE", undefined, { cause: error });
    }
    this.#heed(wire);
    return wire;
  }

  #heed(wire: Wire): void {
    const { signal } = this.#options;
    if (!signal) return;
    const cancel = (): void => void (this.#cancelled = wire.cancel());
    signal.addEventListener("abort", cancel, { once: true });
    const ignore = (): void => signal.removeEventListener("abort", cancel);
    this.#ignoreSignal = ignore;
  }
}
