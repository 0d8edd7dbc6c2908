/** Clears what has expired, without a cron service: every process tries once a minute, one at a time does it. */
import type { Database } from "../database.ts";
import type { Log } from "../log.ts";

const INTERVAL_MS = 60_000;

export interface ClearingOptions {
  readonly databases: ReadonlyMap<string, Database>;
  readonly auditRetentionDays: number;
  readonly log: Log;
}

/** Starts; the returned function stops it and waits for what is running. */
export function startClearing({ databases, auditRetentionDays, log }: ClearingOptions): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(clear);
  }, INTERVAL_MS);
  timer.unref();

  async function clear(): Promise<void> {
    for (const { db, name } of databases.values())
      try {
        await db.func("portolan.clear_expired", [auditRetentionDays]);
      } catch (error) {
        log.warn({ err: error, database: name }, "what has expired could not be cleared; the next minute tries again");
      }
  }

  return async () => {
    clearInterval(timer);
    await running;
  };
}
