/** Switches the events of tables on and off as the configuration and their comments say. */
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";

/** How long to wait for a lock on a table before the next try. */
const AGAIN_MS = 2000;

export interface TableSwitchOptions {
  readonly database: Database;
  readonly log: Log;
  /** Whether all tables of the exposed schemas have events. */
  readonly all: boolean;
}

export class TableSwitch {
  readonly #options: TableSwitchOptions;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: TableSwitchOptions) {
    this.#options = options;
  }

  /** `schemas`: the exposed ones. False where another session locks a table, which is tried again later. */
  async sync(schemas: readonly string[]): Promise<boolean> {
    const { database, all, log } = this.#options;
    clearTimeout(this.#again);
    const problems = await database.db.any<{ problem: string; busy: boolean }>(
      "select * from portolan.sync_events($1::text[], $2)",
      [schemas, all],
    );
    for (const { problem, busy } of problems)
      if (!busy) log.warn({ database: database.name, problem }, "events of a table cannot be switched");
    if (!problems.some(({ busy }) => busy)) return true;
    if (this.#isClosed) return false;
    this.#again = setTimeout(() => {
      this.sync(schemas).catch((error: unknown) => log.warn({ err: error }, "events cannot be switched"));
    }, AGAIN_MS).unref();
    return false;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
  }
}
