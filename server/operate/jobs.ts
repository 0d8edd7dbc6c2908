/** Runs `portolan.jobs`: work that takes longer than a request may, in portions, one transaction each. */
import { setTimeout as sleep } from "node:timers/promises";
import { Gauge } from "prom-client";
import type { Database } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import type { Metrics } from "./metrics.ts";
import type { Log } from "../ground/log.ts";

/** A job as `portolan.work_job` shows it. */
export interface Job {
  readonly job: string;
  readonly kind: string;
  readonly relation: string;
  readonly state: "queued" | "running" | "stopped" | "failed" | "done";
  /** Rows; `total` is an estimate. */
  readonly done: string;
  readonly total: string;
  readonly error: string | null;
  /** How long to wait before the next portion, because another session holds a lock. */
  readonly pause_ms: number;
}

/** How often to look at jobs that another process may work on, until all have ended. */
const LOOK_AGAIN_MS = 2000;

const UNFINISHED = `
select exists (
  select from portolan.jobs j
  where j.state in ('queued', 'running') and j.kind not in ('import', 'download', 'tiles') and ($1::bigint is null or j.id = $1)) as more`;

const COUNTS = `
select kind, state, count(*)::integer as n from portolan.jobs
where state in ('queued', 'running') or state = 'stopped' and kind not in ('import', 'download')
group by 1, 2
union all select kind, state, count(*)::integer from portolan.failed_jobs() group by 1, 2`;

/**
 * Runs the jobs of a database, or only the job of this number, until all have ended. When `signal` fires it ends after
 * the present portion. `onPortion` runs after each portion. Another process may work on the same jobs. Throws
 * PostgreSQL's errors; finished portions stay done.
 */
export async function workJobs(
  { db }: Pick<Database, "db">,
  { id, signal, onPortion }: { id?: number; signal: AbortSignal; onPortion?: (job: Job) => void },
): Promise<void> {
  while (!signal.aborted) {
    // a portion that is lost with the server runs again
    const job = await db.tx(async (transaction) => {
      await transaction.none("set local synchronous_commit = off; set local statement_timeout = 0");
      return transaction.oneOrNone<Job>("select * from portolan.work_job($1)", [id ?? null]);
    });
    if (job) {
      onPortion?.(job);
      if (job.pause_ms > 0) await pause(job.pause_ms, signal);
    } else {
      const { more } = await db.one<{ more: boolean }>(UNFINISHED, [id ?? null]);
      if (!more) return;
      await pause(LOOK_AGAIN_MS, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // the signal ends the loop
}

/** The part of the kernel that jobs need. */
export interface JobsKernel {
  readonly databases: ReadonlyMap<string, Database>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "registry">;
}

/** Runs jobs as soon as one is queued or found unfinished, one at a time in each database. */
export function installJobs({ databases, log, metrics }: JobsKernel): Door {
  const stopped = new AbortController();
  const working = new Map<string, { readonly done: Promise<void>; stop(): void }>();
  new Gauge({
    name: "portolan_jobs",
    help: "Jobs that have not ended, and failed jobs that can be continued, by kind and state",
    labelNames: ["database", "kind", "state"],
    aggregator: "max", // each of several processes counts the same
    registers: [metrics.registry],
    async collect() {
      this.reset();
      await Promise.all(
        [...databases.values()].map(async ({ name, db }) => {
          const rows = await db.any<{ kind: string; state: string; n: number }>(COUNTS).catch(() => []); // the other metrics tell that the database is down
          for (const { kind, state, n } of rows) this.set({ database: name, kind, state }, n);
        }),
      );
    },
  });
  const work = (database: Database): void => {
    if (working.has(database.name) || stopped.signal.aborted) return;
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, stopped.signal]);
    const done = workUntilDone(database, log, signal).finally(() => working.delete(database.name));
    working.set(database.name, { done, stop: () => own.abort() });
  };
  return {
    routes: [],
    start: () => {
      for (const database of databases.values()) work(database);
      return Promise.resolve();
    },
    wake: work,
    subjects: { jobs: work },
    isInUse: ({ name }) => working.has(name),
    async rest({ name }) {
      working.get(name)?.stop();
      await working.get(name)?.done;
    },
    async close() {
      stopped.abort();
      await Promise.all([...working.values()].map(({ done }) => done));
    },
  };
}

/** Never rejects: a database that does not answer is tried again. */
async function workUntilDone(database: Database, log: Log, signal: AbortSignal): Promise<void> {
  const onPortion = ({ job, kind, relation, state, done, error }: Job): void => {
    if (state === "failed") log.error({ database: database.name, job, kind, relation, reason: error }, "a job failed");
    if (state === "done") log.info({ database: database.name, job, kind, relation, rows: done }, "a job is done");
  };
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await workJobs(database, { signal, onPortion });
    } catch (error) {
      if (failures === 0 && !signal.aborted)
        log.warn({ err: error, database: database.name }, "jobs cannot run at the moment");
      await pause(LOOK_AGAIN_MS, signal);
    }
  }
}
