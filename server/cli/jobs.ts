/** Long jobs: lists them, and runs them here. */
import { InvalidArgumentError, type Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import type { Job } from "../operate/jobs.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

export interface LockOption {
  /** Minutes. */
  readonly lockWait: number;
}

/** Adds `--lock-wait`. */
export function withLockWait(command: Command): Command {
  return command.option(
    "--lock-wait <minutes>",
    "how long to retry while another session holds a lock that it needs",
    (text) => {
      if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("must be a number of minutes");
      return Number(text);
    },
    10,
  );
}

export function addJobCommands(program: Command): void {
  const jobs = program
    .command("jobs")
    .description("work that may take longer than a request: history, workflow and events of large tables");
  listing(
    jobs.command("list").description("all jobs, latest first"),
    `select id, kind, relation::text as relation, state, done, total, started_by, started, updated, error
     from portolan.jobs order by id desc`,
  );
  withLockWait(
    withDatabase(jobs.command("run [id]").description("run waiting jobs here, whether or not a gateway runs")),
  ).action(async (id: string | undefined, options: DatabaseOption & LockOption) => {
    if (id !== undefined && !/^[1-9]\d{0,14}$/.test(id))
      throw new OperatorError("the number of a job, as portolan jobs list shows it");
    if (id !== undefined) await refuseEnded(options, id);
    await runJobs(options, id === undefined ? undefined : Number(id));
  });
  calling(
    jobs.command("stop <id>").description("stop a job after its present portion; finished portions are kept"),
    "select portolan.change_job($1, 'stopped')",
    (id) => `job ${id} is stopped`,
  );
  calling(
    jobs.command("continue <id>").description("continue a job that was stopped or has failed"),
    "select portolan.change_job($1, 'queued')",
    (id) => `job ${id} continues`,
  );
}

/** Throws `OperatorError` where this job has no work left. */
async function refuseEnded(options: DatabaseOption, id: string): Promise<void> {
  const job = await withOwner(options, ({ db }) =>
    db.oneOrNone<{ state: string }>("select state from portolan.list_jobs($1)", [id]),
  );
  if (!job) throw new OperatorError(`there is no job ${id}`);
  if (job.state === "done") throw new OperatorError(`job ${id} is done`);
  if (job.state === "stopped" || job.state === "failed") throw notDone(id, job.state);
}

function notDone(id: string | number, state: "stopped" | "failed"): OperatorError {
  return new OperatorError(
    `job ${id} ${state === "failed" ? "has failed" : "is stopped"}: portolan jobs continue ${id}`,
  );
}

/** A command that switches something on for a table. It ends when that is on. */
export function switching(command: Command, noun: string, sentence: (table: string) => string): void {
  withLockWait(withDatabase(command)).action(async (table: string, options: DatabaseOption & LockOption) => {
    if (await switchTable(options, `portolan.enable_${noun}($1::regclass)`, [table])) print(sentence(table));
  });
}

/**
 * Calls a function that returns the number of a job where the table is large, and runs that job here. Returns whether
 * it is done.
 */
export async function switchTable(
  options: DatabaseOption & LockOption,
  call: string,
  values: readonly unknown[],
): Promise<boolean> {
  const { job } = await withOwner(options, ({ db }) =>
    db.one<{ job: string | null }>(`select ${call} as job`, [...values]),
  );
  return job === null || (await runJobs(options, Number(job)));
}

/**
 * Runs all jobs, or the one with this number, and shows their progress. Returns whether all are done: Ctrl-C leaves the
 * rest to the gateways. Throws `OperatorError` where the job was stopped by another session, or failed in another
 * process.
 */
export async function runJobs(options: DatabaseOption & LockOption, id?: number): Promise<boolean> {
  const { workJobs } = await import("../operate/jobs.ts");
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  const failed = new Set<string>();
  let last: Job | undefined;
  await withOwner(options, async (database) => {
    await database.db.any(
      `select portolan.change_job(id, 'queued', $2 * interval '1 minute')
       from portolan.jobs where state in ('queued', 'running') and ($1::bigint is null or id = $1)`,
      [id ?? null, options.lockWait],
    );
    await workJobs(database, {
      ...(id !== undefined && { id }),
      signal: stop.signal,
      onPortion(job) {
        showProgress(job, job.job !== last?.job || job.state !== last.state);
        if (job.state === "failed") failed.add(job.job);
        last = job;
      },
    });
    if (id === undefined || stop.signal.aborted || failed.size > 0) return;
    const { state } = await database.db.one<{ state: string }>("select state from portolan.jobs where id = $1", [id]);
    if (state === "stopped" || state === "failed") throw notDone(id, state);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  if (stop.signal.aborted) print("\nthe gateways, or portolan jobs run, will do the rest");
  process.exitCode = failed.size > 0 ? 1 : 0;
  return failed.size === 0 && !stop.signal.aborted;
}

const BAR_CHARACTERS = 30;

/** A moving bar on a terminal, else a line for each change. */
function showProgress(job: Job, isNew: boolean): void {
  const { kind, relation, state, done, total, error } = job;
  const share = state === "done" ? 1 : Number(total) === 0 ? 0 : Math.min(1, Number(done) / Number(total));
  const hasEnded = state === "done" || state === "failed";
  const text = `job ${job.job}: ${kind} of ${relation}: ${Math.floor(share * 100)} %, ${done} rows${hasEnded ? `, ${state}` : ""}${error === null ? "" : `: ${error}`}`;
  if (process.stdout.isTTY) {
    const filled = Math.round(share * BAR_CHARACTERS);
    const bar = "█".repeat(filled) + "░".repeat(BAR_CHARACTERS - filled);
    process.stdout.write(`\r\u001b[K${bar} ${text}${hasEnded ? "\n" : ""}`);
  } else if (isNew) print(text);
}
