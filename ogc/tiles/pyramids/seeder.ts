/**
 * Makes the waiting pyramids, one at a time in each database: those that are queued, and abandoned ones that this
 * process finds.
 */
import type { Database } from "../../../server/kernel/database/database.ts";
import { seedPyramids, type SeedOptions } from "./seed.ts";

/** The time between two searches for pyramids that another process has abandoned. */
const LOOK_AGAIN_MS = 60_000;

/** The work in one database. */
interface Working {
  readonly stop: AbortController;
  done: Promise<void>;
  /** Whether to look for more afterwards. */
  again: boolean;
  /** Whether a job has changed, so that this one may have been stopped. */
  hasNews: boolean;
}

export class Seeder {
  readonly #options: SeedOptions;
  readonly #databases: ReadonlyMap<string, Database>;
  readonly #working = new Map<string, Working>();
  #timer: NodeJS.Timeout | undefined;

  constructor(databases: ReadonlyMap<string, Database>, options: SeedOptions) {
    this.#databases = databases;
    this.#options = options;
  }

  start(): void {
    for (const database of this.#databases.values()) this.look(database);
    this.#timer = setInterval(() => {
      for (const database of this.#databases.values()) this.look(database);
    }, LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  /** Looks for waiting pyramids, because a job has changed. */
  look(database: Database): void {
    this.#options.pyramids.forget(database);
    const working = this.#working.get(database.name);
    if (working) {
      working.again = working.hasNews = true;
      return;
    }
    const stop = new AbortController();
    const entry: Working = { stop, again: false, hasNews: false, done: Promise.resolve() };
    const takeNews = (): boolean => {
      const { hasNews } = entry;
      entry.hasNews = false;
      return hasNews;
    };
    entry.done = seedPyramids(database, this.#options, { signal: stop.signal, takeNews })
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          this.#options.log.warn({ err: error, database: database.name }, "pyramids cannot be made at the moment");
      })
      .finally(() => {
        this.#working.delete(database.name);
        if (entry.again && !stop.signal.aborted) this.look(database);
      });
    this.#working.set(database.name, entry);
  }

  /** Looks for pyramids of changed tables, because the catalogue has changed. */
  refresh(database: Database): void {
    if (this.#timer) this.look(database);
  }

  isWorking({ name }: Database): boolean {
    return this.#working.has(name);
  }

  async rest({ name }: Database): Promise<void> {
    const working = this.#working.get(name);
    working?.stop.abort();
    await working?.done;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all([...this.#databases.values()].map((database) => this.rest(database)));
  }
}
