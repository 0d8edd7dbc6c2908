/** Runs statements that someone wrote, all in one transaction, on a connection that is logged in as the caller. */
import { checkReads, knownRules, RULES_GENERATION, rulesHaveChanged } from "../kernel/catalogue/access.ts";
import { isPreparedLost } from "../kernel/errors.ts";
import type { Database, ForeignTransaction, Service } from "../kernel/database/database.ts";
import type { ResultCache } from "./cache.ts";
import { withArguments } from "./functions.ts";
import type { CallContext, Params, Runnable } from "./method.ts";
import type { Prepared, PreparedStatements } from "./prepare.ts";
import type { Sink } from "./result.ts";
import { isOutdated, run, wantsToWrite } from "./run.ts";
import { readStatement } from "./statement.ts";
import { GENERATION, type MethodStore } from "./store.ts";

/** What belongs to one database. */
export interface MethodsOfDatabase {
  readonly database: Database;
  readonly store: MethodStore;
  readonly prepared: PreparedStatements;
  /** Statements that have turned out to write, through a function. */
  readonly writing: Set<string>;
  readonly cache: ResultCache;
}

/** One statement with the parameters of each of its runs. */
export interface Job<T> {
  readonly runnable: Runnable;
  readonly sets: readonly Params[];
  /** Where the rows go; made anew when all is tried again. */
  open(): Sink;
  /** What the caller of `runJobs` gets for it. `affected`: rows written by a statement that returns none. */
  finish(sink: Sink, affected: number): T | Promise<T>;
}

export interface JobsOptions {
  readonly service: Service;
  /** Whether all statements may run for an account that has no login: see `withOwnLogin`. */
  readonly published: boolean;
  /** Longest time of one statement that has no limit of its own. */
  readonly timeoutMs: number;
  /** Longest time of all statements together, if none of them has more for itself. */
  readonly totalTimeoutMs: number;
  /** The generation of methods that the jobs were made of; another one throws `Stale`. */
  readonly generation?: string;
  /** Whether rows have left the process, so that nothing can be tried again. */
  readonly hasBegun?: () => boolean;
}

/** Which job has failed; `cause` says how. */
export class JobFailure extends Error {
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super("a statement failed", { cause });
    this.index = index;
  }
}

/** A rule was made or went after it was asked about: nothing was done, and it is to be run again. */
class RulesChanged extends Error {}

/** A definition was changed after it was read: nothing was done, and it is to be read again. */
export class Stale extends Error {}

/** Of the rules and of the methods. */
const PROBE = `(${RULES_GENERATION} || ' ' || ${GENERATION})`;
/** What jobs were made and asked about by. */
interface Known {
  readonly rules: string | undefined;
  readonly generation: string | undefined;
}

const MAX_TRIES = 4;
const MAX_WRITING = 10_000;

/** Runs all jobs, or none takes effect. Throws `JobFailure`, `Stale`, and what opening the transaction throws. */
export async function runJobs<T>(
  of: MethodsOfDatabase,
  context: CallContext,
  jobs: readonly Job<T>[],
  options: JobsOptions,
): Promise<T[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(of, context, jobs, options);
    } catch (error) {
      if (error instanceof RulesChanged && attempt < MAX_TRIES) continue;
      if (!(error instanceof JobFailure) || attempt === MAX_TRIES || options.hasBegun?.()) throw error;
      const { runnable } = jobs[error.index]!;
      if (wantsToWrite(error.cause) && !of.writing.has(runnable.q)) {
        if (of.writing.size >= MAX_WRITING) of.writing.clear();
        of.writing.add(runnable.q);
      } else if (isOutdated(error.cause))
        for (const params of jobs[error.index]!.sets)
          of.prepared.forget(context.identity.role, withArguments(runnable, params));
      else if (!isPreparedLost(error.cause)) throw error; // on another connection
    }
  }
}

async function runOnce<T>(
  of: MethodsOfDatabase,
  { identity, address, signal }: CallContext,
  jobs: readonly Job<T>[],
  { service, published, timeoutMs, totalTimeoutMs, generation }: JobsOptions,
): Promise<T[]> {
  const readOnly = !(await anyWrites(of, jobs, generation));
  const longest = Math.max(...jobs.map(({ runnable }) => runnable.timeoutMs ?? timeoutMs));
  return of.database.withOwnLogin(
    identity,
    {
      service,
      address,
      signal,
      readOnly,
      published,
      timeoutMs: longest,
      totalTimeoutMs: Math.max(totalTimeoutMs, longest),
      probe: PROBE,
    },
    async (transaction) => {
      const known: Known = { rules: await knownRules(of.database), generation };
      const results: T[] = [];
      for (const [index, job] of jobs.entries()) {
        try {
          const isLast = index === jobs.length - 1;
          results.push(await runJob(of, identity.role, transaction, job, { known, isLast }));
        } catch (error) {
          // a definition that has changed may be why it failed
          if (error instanceof Stale || error instanceof RulesChanged) throw error;
          await refuseStale(of.database, transaction, known);
          throw new JobFailure(index, error);
        }
      }
      await refuseStale(of.database, transaction, known);
      return results;
    },
  );
}

async function runJob<T>(
  { database, prepared }: MethodsOfDatabase,
  role: string,
  transaction: ForeignTransaction,
  job: Job<T>,
  { known, isLast }: { readonly known: Known; readonly isLast: boolean },
): Promise<T> {
  const { sets } = job;
  const sink = job.open();
  let ready: Prepared | undefined;
  let q = "";
  let rows = 0;
  let affected = 0;
  for (const params of sets) {
    const runnable = withArguments(job.runnable, params);
    if (!ready || runnable.q !== q) {
      ready = await prepared.prepare(transaction, role, runnable);
      await checkReads(database, transaction, ready.statement.reads);
      q = runnable.q;
    }
    const outcome = await run({
      transaction,
      prepared: ready,
      runnable,
      params,
      rowsBefore: rows,
      onColumns: async (columns) => {
        await refuseStale(database, transaction, known);
        await sink.start(columns);
      },
      last: isLast && sets.length === 1,
      json: sink.json,
      onRows: (portion) => sink.add(portion),
    });
    rows += outcome.rows;
    affected += outcome.affected;
  }
  return job.finish(sink, affected);
}

/** Throws `JobFailure` for what is no statement, `Stale` when it is one no longer or by now. */
async function anyWrites(of: MethodsOfDatabase, jobs: readonly Job<unknown>[], generation?: string): Promise<boolean> {
  try {
    return jobs.map(({ runnable }, index) => writes(of, runnable, index)).includes(true);
  } catch (error) {
    if (generation !== undefined && (await of.store.generation()) !== generation) throw new Stale();
    throw error;
  }
}

/** Whether it needs a transaction that may write: by itself, or by what a function of it has tried to do. */
function writes({ writing }: MethodsOfDatabase, { q }: Runnable, index: number): boolean {
  try {
    return writing.has(q) || readStatement(q).writes;
  } catch (error) {
    throw new JobFailure(index, error);
  }
}

/** Throws `Stale` where methods, and `RulesChanged` where rules are others by now than those that were asked. */
async function refuseStale(database: Database, transaction: ForeignTransaction, known: Known): Promise<void> {
  const probed = transaction.begun
    ? await transaction.probed.catch(() => undefined) // what made BEGIN fail is told
    : (await transaction.query<{ probe: string }>({ text: `select ${PROBE} as probe` })).rows[0]?.probe;
  const [rules, methods] = probed?.split(" ") ?? [];
  if (probed !== undefined && known.generation !== undefined && methods !== known.generation) throw new Stale();
  if (rulesHaveChanged(database, known.rules, rules)) throw new RulesChanged();
}
