/** Polls a database repeatedly, and skips polls while nobody uses it. */

/** How often an idle database is polled. Otherwise every transaction of its cluster would cost a poll of its catalogue. */
const IDLE_INTERVAL_MS = 10_000;

export interface PollsOptions {
  /** Whether the database has been idle for a while. Default: never. */
  readonly isIdle: (() => boolean) | undefined;
  /** Runs when polls are first skipped. */
  readonly onPause: () => void;
  /** Fires at the end. */
  readonly signal: AbortSignal;
}

export class Polls {
  readonly #options: PollsOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** A poll was skipped: earlier results no longer count. */
  #isPaused = false;
  #resuming: Promise<void> | undefined;

  constructor(options: PollsOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => {
      for (const timer of this.#timers) clearTimeout(timer);
    });
  }

  /** Runs it repeatedly, with the pause between the end of one run and the start of the next. `run` never rejects. */
  repeat(pauseMs: number, run: () => Promise<void>, ranAt = performance.now()): void {
    if (this.#options.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#leavesOut(ranAt)) this.repeat(pauseMs, run, ranAt);
      else void run().then(() => this.repeat(pauseMs, run));
    }, pauseMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** Whether this poll can be skipped. The next request is verified again, and resumes polling. */
  #leavesOut(ranAt: number): boolean {
    if (!this.#options.isIdle?.() || performance.now() - ranAt > IDLE_INTERVAL_MS) return false;
    if (!this.#isPaused) this.#options.onPause();
    this.#isPaused = true;
    return true;
  }

  /** Makes up for skipped polls with `look`, which never rejects. */
  async resume(look: () => Promise<unknown>): Promise<void> {
    if (!this.#isPaused) return;
    const resume = async (): Promise<void> => {
      await look();
      this.#isPaused = false;
      this.#resuming = undefined;
    };
    await (this.#resuming ??= resume());
  }
}
