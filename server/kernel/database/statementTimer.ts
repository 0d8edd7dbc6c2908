/** The gateway's own time limit for a caller's own SQL. */
import { GatewayError, SQLSTATE } from "../../ground/errors.ts";
import type { Wire } from "./wire/wire.ts";

/** How long it waits for PostgreSQL's own limit, and then for the cancel to be heeded. */
export const GRACE_MS = 500;
const CANCEL_MS = 2000;

export interface StatementTimerOptions {
  /** Longest time of a statement that has no limit of its own. */
  readonly statementMs: number;
  /** Longest time of all together. Default none. */
  readonly allMs: number | undefined;
  /** Ends a connection whose statement heeds no cancel. */
  readonly end: (wire: Wire) => void;
}

/** A statement can lift PostgreSQL's own limit, which also starts again with each portion; it cannot lift this one. */
export class StatementTimer {
  readonly #options: StatementTimerOptions;
  #leftMs: number;
  #before: Promise<unknown> | undefined;
  /** Resolves when a statement that was cancelled can no longer be met by its cancel. */
  cancelled: Promise<void> | undefined;

  constructor(options: StatementTimerOptions) {
    this.#options = options;
    this.#leftMs = options.allMs ?? Infinity;
  }

  /** Runs a statement, or a portion of one. Throws `TIMEOUT` (SQLSTATE 57014) where it took too long, and what `run` throws. */
  async watch<T>(wire: Wire, ownMs: number | undefined, run: () => Promise<T>): Promise<T> {
    const { statementMs, end } = this.#options;
    let late = false;
    const ahead = this.#before;
    const running = run();
    this.#before = running.catch(() => undefined); // reported below
    await ahead; // its time begins when the statements before it have ended
    const mostMs = Math.min((ownMs ?? statementMs) + GRACE_MS, this.#leftMs);
    const startedMs = performance.now();
    let timer = setTimeout(() => {
      late = true;
      this.cancelled = wire.cancel();
      timer = setTimeout(() => end(wire), CANCEL_MS);
    }, mostMs);
    try {
      return await running;
    } catch (error) {
      if (!late) throw error;
      const all = mostMs === this.#leftMs ? "The statements of the request took too long together" : undefined;
      throw new GatewayError("TIMEOUT", all, { sqlstate: SQLSTATE.queryCanceled, cause: error });
    } finally {
      clearTimeout(timer);
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - startedMs));
    }
  }
}
