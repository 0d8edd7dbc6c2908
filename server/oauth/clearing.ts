/**
 * Deletes expired rows, without a cron service: every process tries when it starts and then once a minute, and one
 * process at a time deletes.
 */
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";

const INTERVAL_MS = 60_000;

export interface ClearingOptions {
  readonly databases: ReadonlyMap<string, Database>;
  readonly auditRetentionDays: number;
  /** Runs for each database after it has been cleared. */
  readonly then?: (database: Database) => void;
  /** Default a minute. */
  readonly intervalMs?: number;
  readonly log: Log;
}

/** Starts; the returned function stops it and waits for a running deletion. */
export function startClearing(options: ClearingOptions): () => Promise<void> {
  const { databases, auditRetentionDays, intervalMs = INTERVAL_MS, log, then } = options;
  let running = clear();
  const timer = setInterval(() => {
    running = running.then(clear);
  }, intervalMs);
  timer.unref();

  async function clear(): Promise<void> {
    for (const database of databases.values())
      try {
        await database.db.func("portolan.clear_expired", [auditRetentionDays]);
        then?.(database);
      } catch (error) {
        log.warn(
          { err: error, database: database.name },
          "expired rows could not be deleted; the next try follows soon",
        );
      }
  }

  return async () => {
    clearInterval(timer);
    await running;
  };
}
