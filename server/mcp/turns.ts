/**
 * The order in which agents' calls run: few at once for all agents together. While people use the service, one call
 * runs at a time. It begins when no person waits for an answer, and agents pause after it, so that they take at most a
 * quarter of the time, and less where a call makes people wait longer.
 */
import { setTimeout } from "node:timers/promises";
import { Places, type PlacesOptions } from "../kernel/database/database.ts";
import { Strain } from "./strain.ts";

/** An agent may wait longer than a person: a model takes as long to write its next call. */
const PATIENCE_MS = 20_000;
/** How soon it notices that a call may begin. */
const LOOK_MS = 5;
/** People whose last request was answered within this time are likely to ask again. */
const QUIET_MS = 500;
/** How long a call waits for a moment when no person waits. Under steady load there may be none. */
const MOMENT_MS = 100;
/** Requests that a call has delayed are answered this soon after it. */
const AFTER_MS = 5;

/** Requests of other doors. */
export interface Others {
  /** How many wait for their answers. */
  readonly waiting: number;
  /** How long ago the last one was answered. */
  readonly quietMs: number;
}

export interface TurnsOptions extends Pick<PlacesOptions, "accountShare"> {
  /** Calls that run at once while no person uses the service. */
  readonly calls: number;
  readonly others: () => Others;
}

export class Turns {
  readonly #places: Places;
  readonly #others: () => Others;
  readonly #strain = new Strain();
  #running = 0;
  #endedMs = -Infinity;
  #restsUntilMs = 0;
  /** Resolves when the last call that waits for its turn has begun. */
  #begun: Promise<void> = Promise.resolve();

  constructor({ calls, accountShare, others }: TurnsOptions) {
    this.#places = new Places({ places: calls, accountShare, waitMs: PATIENCE_MS });
    this.#others = others;
  }

  /** Throws `ACCOUNT_BUSY`, `UNAVAILABLE`, `CLIENT_GONE`, and the errors of the work. */
  async with<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#places.take(caller, signal);
    try {
      await this.#begin(signal);
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        this.#running--;
        this.#endedMs = performance.now();
        this.#restsUntilMs = this.#endedMs + this.#strain.restMs(this.#endedMs - startedMs);
      }
    } finally {
      leave();
    }
  }

  /** A request of another door was answered. */
  noteOther(tookMs: number): void {
    this.#strain.note(tookMs, this.#running > 0 || performance.now() - this.#endedMs < AFTER_MS);
  }

  /** One after the other, in order of arrival; only the first one checks. */
  async #begin(signal: AbortSignal): Promise<void> {
    const before = this.#begun;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begun = promise;
    await before;
    const lastMs = performance.now() + PATIENCE_MS;
    let hasTurnMs: number | undefined;
    for (let nowMs = performance.now(); nowMs < lastMs && !signal.aborted; nowMs = performance.now()) {
      const { waiting, quietMs } = this.#others();
      if (waiting === 0 && quietMs >= QUIET_MS) break;
      if (this.#running === 0 && nowMs >= this.#restsUntilMs) {
        hasTurnMs ??= nowMs;
        if (waiting === 0 || nowMs - hasTurnMs >= MOMENT_MS) break;
      }
      await setTimeout(LOOK_MS);
    }
    this.#running++;
    resolve();
  }

  /** Refuses waiting and later calls. */
  close(): void {
    this.#places.close();
  }
}
