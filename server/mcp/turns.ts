/**
 * Whose turn it is among agents: together they have few calls at once. While requests of people wait they have one, and rest
 * after it, so that they take at most a third of the time.
 */
import { setTimeout } from "node:timers/promises";
import { Places, type PlacesOptions } from "../kernel/database/database.ts";

/** An agent waits longer than a person would: a model takes as long to write its next call. */
const PATIENCE_MS = 20_000;
/** How soon it is noticed that nobody waits any more. */
const LOOK_MS = 5;
/** How long agents rest after a call, in times of the call. */
const REST = 2;

export interface TurnsOptions extends Pick<PlacesOptions, "accountShare"> {
  /** Calls that are worked on at once where nobody else waits. */
  readonly calls: number;
  /** How many requests of other doors wait for their answers. */
  readonly othersWaiting: () => number;
}

export class Turns {
  readonly #places: Places;
  readonly #othersWaiting: () => number;
  #running = 0;
  #restsUntilMs = 0;

  constructor({ calls, accountShare, othersWaiting }: TurnsOptions) {
    this.#places = new Places({ places: calls, accountShare, waitMs: PATIENCE_MS });
    this.#othersWaiting = othersWaiting;
  }

  /** Throws `ACCOUNT_BUSY`, `UNAVAILABLE`, `CLIENT_GONE`, and what the work throws. */
  async with<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#places.take(caller, signal);
    try {
      const lastMs = performance.now() + PATIENCE_MS;
      while (this.#isLeftToOthers() && performance.now() < lastMs && !signal.aborted) await setTimeout(LOOK_MS);
      const startedMs = performance.now();
      this.#running++;
      try {
        return await work();
      } finally {
        this.#running--;
        const endedMs = performance.now();
        this.#restsUntilMs = endedMs + REST * (endedMs - startedMs);
      }
    } finally {
      leave();
    }
  }

  #isLeftToOthers(): boolean {
    return (this.#running > 0 || performance.now() < this.#restsUntilMs) && this.#othersWaiting() > 0;
  }

  /** Refuses those who wait, and those who come. */
  close(): void {
    this.#places.close();
  }
}
