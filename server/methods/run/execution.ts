/** Runs statements that someone wrote, all in one transaction, on a connection that is logged in as the caller. */
import type { LRUCache } from "lru-cache";
import { checkReads, rulesBasis } from "../../kernel/catalogue/access.ts";
import type { Basis, Database, Reached, UserSqlTransaction, Service } from "../../kernel/database/database.ts";
import { claim } from "../../kernel/http/idempotencyKey.ts";
import type { Log } from "../../ground/log.ts";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { Changed, type Remedies } from "../../ground/retry.ts";
import type { ResultCache } from "./cache.ts";
import type { PanelCache } from "./panelCache.ts";
import { refuseVolatile } from "../statement/calledCode.ts";
import { withArguments } from "../functions.ts";
import type { CallContext, Params, Runnable } from "../method.ts";
import type { Prepared, PreparedStatements } from "../statement/prepare.ts";
import type { Sink } from "./result.ts";
import { endTrial } from "./rollbackNotes.ts";
import { run } from "./run.ts";
import { readStatement } from "../statement/statement.ts";
import type { MethodStore } from "../store.ts";

export interface CallOptions {
  readonly maxAnswerBytes: number;
  /** Longest time of one statement that has no limit of its own. */
  readonly statementTimeoutMs: number;
  /** Longest time of all statements of a request together, if none of them has more for itself. */
  readonly sqlRequestTimeoutMs: number;
  /** Longest time of a panel of a public dashboard. */
  readonly panelTimeoutMs: number;
  /** How long its result is kept. */
  readonly panelSeconds: number;
  readonly log: Log;
}

/** State of one database. */
export interface MethodsOfDatabase {
  readonly options: CallOptions;
  readonly database: Database;
  readonly store: MethodStore;
  readonly prepared: PreparedStatements;
  /** Statements that have proved to write, through a function: the 10,000 that were used last. */
  readonly writing: LRUCache<string, true>;
  readonly cache: ResultCache;
  readonly panels: PanelCache;
}

/** One statement with the parameters of each of its runs. */
export interface Job<T> {
  readonly runnable: Runnable;
  readonly sets: readonly Params[];
  /** Takes the rows; made again when everything is tried again. */
  open(): Sink;
  /**
   * The result for the caller of `runJobs`. `affected`: rows written by a statement that returns none; `notes`: with the
   * last one of a dry run, what the rollback does not undo.
   */
  finish(sink: Sink, affected: number, notes: readonly string[]): T | Promise<T>;
}

export interface JobsOptions {
  readonly service: Service;
  /** Whether all statements may run for an account that has no login: see `withOwnLogin`. */
  readonly published: boolean;
  /** The generation of methods that the jobs were made of. */
  readonly generation?: string;
  /** Whether everything is rolled back; default false. */
  readonly dry?: boolean;
}

/** The job that has failed. `cause` says how. */
export class JobFailure extends Error {
  readonly index: number;
  readonly job: Pick<Job<unknown>, "runnable" | "sets">;

  constructor(index: number, job: Pick<Job<unknown>, "runnable" | "sets">, cause: unknown) {
    super("a statement failed", { cause });
    this.index = index;
    this.job = job;
  }
}

/** The remedy before failed jobs are made, and run, again. */
export function remediesOf(
  { store, prepared, writing }: MethodsOfDatabase,
  { identity, readOnly = false }: CallContext,
): Remedies {
  const jobOf = (error: unknown): JobFailure["job"] | undefined =>
    error instanceof JobFailure ? error.job : undefined;
  return {
    changed: () => store.forget(identity),
    connection: () => true,
    plan(error) {
      const { runnable, sets = [] } = jobOf(error) ?? {};
      for (const params of sets) prepared.forget(identity.role, withArguments(runnable!, params));
    },
    writes(error) {
      const q = jobOf(error)?.runnable.q;
      if (readOnly || q === undefined || writing.has(q)) return false;
      writing.set(q, true);
      return true;
    },
  };
}

/**
 * Runs all jobs, or none takes effect. Throws `JobFailure`, `Changed` where rules or methods have changed since the
 * jobs were made, and errors of opening the transaction.
 */
export async function runJobs<T>(
  of: MethodsOfDatabase,
  { identity, address, signal, point, through, idempotencyKey, readOnly: mayOnlyRead = false }: CallContext,
  jobs: readonly Job<T>[],
  { service, published, generation, dry = false }: JobsOptions,
): Promise<T[]> {
  const readOnly = mayOnlyRead || !(await anyWrites(of, jobs, generation));
  const rules = await rulesBasis(of.database);
  const reach = readOnly ? knownReach(of.prepared, identity.role, jobs) : undefined;
  const { statementTimeoutMs, sqlRequestTimeoutMs } = of.options;
  const longest = Math.max(...jobs.map(({ runnable }) => runnable.timeoutMs ?? statementTimeoutMs));
  return of.database.withOwnLogin(
    identity,
    {
      service: through ?? service,
      address,
      signal,
      point,
      readOnly,
      reach,
      published,
      timeoutMs: longest,
      totalTimeoutMs: Math.max(sqlRequestTimeoutMs, longest),
      basis: allOf([rules, generation === undefined ? undefined : of.store.basis(generation)]),
    },
    async (transaction) => {
      if (dry) transaction.rollbackOnly();
      else if (idempotencyKey !== undefined && !readOnly) await claim(idempotencyKey, transaction);
      const running: Promise<T>[] = [];
      const written: Prepared[] | undefined = dry && !readOnly ? [] : undefined;
      const failures: { readonly index: number; readonly cause: unknown }[] = [];
      try {
        for (const [index, job] of jobs.entries()) {
          const { promise: begun, resolve } = Promise.withResolvers<void>();
          const isLast = index === jobs.length - 1;
          const ended = runJob(of, transaction, job, {
            role: identity.role,
            isLast,
            early: readOnly,
            isCalm: mayOnlyRead,
            isOfTwo: through !== undefined,
            onBegun: resolve,
            written,
          });
          ended.catch((cause: unknown) => failures.push({ index, cause }));
          running.push(ended);
          if (isLast) break;
          await (readOnly ? Promise.race([begun, ended]) : ended);
          await running[index - MOST_AHEAD];
        }
        return await Promise.all(running);
      } catch {
        await Promise.allSettled(running);
        const isCause = ({ cause }: (typeof failures)[number]): boolean => !LEFT_UNDONE.includes(sqlstateOf(cause));
        // not in the order of their answers: an error of the call itself is found before it is sent
        const [first] = failures.filter(isCause).sort((one, other) => one.index - other.index);
        const { index, cause } = first ?? failures[0]!;
        if (cause instanceof Changed) throw cause;
        await transaction.confirm(); // a changed definition may be the reason
        throw new JobFailure(index, jobs[index]!, cause);
      }
    },
  );
}

/** The relations that the statements of all jobs reach; undefined where that is unknown of one of them. */
function knownReach(
  prepared: PreparedStatements,
  role: string,
  jobs: readonly Pick<Job<unknown>, "runnable" | "sets">[],
): readonly Reached[] | undefined {
  const reaches = new Set<readonly Reached[]>();
  for (const { runnable, sets } of jobs)
    for (const params of sets) {
      const reach = prepared.peek(role, withArguments(runnable, params))?.reach;
      if (!reach) return undefined;
      reaches.add(reach);
    }
  const [first] = reaches;
  return reaches.size === 1 ? first : [...reaches].flat();
}

/** PostgreSQL's errors for statements and portals that were in flight when another one failed. */
const LEFT_UNDONE: readonly unknown[] = [SQLSTATE.inFailedTransaction, SQLSTATE.invalidCursorName];

/** The number of reads in flight. */
const MOST_AHEAD = 32;

interface JobPlace {
  /** The role that the job runs as. */
  readonly role: string;
  readonly isLast: boolean;
  /** Whether it may be sent before earlier ones are answered. */
  readonly early: boolean;
  /** Functions that may do more than read are refused. */
  readonly isCalm: boolean;
  /** The rules of two interfaces count. */
  readonly isOfTwo: boolean;
  /** The next one may be sent. */
  onBegun(): void;
  /** In a dry run that may write: the statements that ran. */
  readonly written: Prepared[] | undefined;
}

async function runJob<T>(
  of: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  job: Job<T>,
  place: JobPlace,
): Promise<T> {
  const sink = job.open();
  try {
    const { affected, notes } = await runInto(sink, of, transaction, { ...place, job });
    return await job.finish(sink, affected, notes);
  } finally {
    await sink.close?.();
  }
}

async function runInto(
  sink: Sink,
  { database, prepared }: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  { job, role, isLast, early, isCalm, isOfTwo, onBegun, written }: JobPlace & { readonly job: Job<unknown> },
): Promise<{ readonly affected: number; readonly notes: readonly string[] }> {
  const { sets } = job;
  let ready: Prepared | undefined;
  let q = "";
  let rows = 0;
  let affected = 0;
  for (const params of sets) {
    const runnable = withArguments(job.runnable, params);
    if (!ready || runnable.q !== q) {
      ready = await prepared.prepare(transaction, role, runnable);
      await checkReads(database, transaction, ready.statement.reads, isOfTwo);
      if (isCalm) await refuseVolatile(transaction, ready.statement);
      written?.push(ready);
      q = runnable.q;
    }
    const running = run({
      transaction,
      prepared: ready,
      runnable,
      params,
      rowsBefore: rows,
      onColumns: (columns) => sink.start(columns),
      last: isLast && sets.length === 1,
      early: early && sets.length === 1,
      json: database.isCluster ? undefined : sink.json, // Citus loses names where PostgreSQL writes rows as JSON
      written: sink.written,
      form: sink.form,
      onRows: (portion) => sink.add(portion),
    });
    if (sets.length === 1) onBegun();
    const outcome = await running;
    rows += outcome.rows;
    affected += outcome.affected;
  }
  return { affected, notes: written && isLast ? await endTrial(transaction, written) : [] };
}

/** Throws `JobFailure` for a text that is no statement, `Changed` when that has changed meanwhile. */
async function anyWrites(of: MethodsOfDatabase, jobs: readonly Job<unknown>[], generation?: string): Promise<boolean> {
  try {
    return jobs.map((job, index) => writes(of, job, index)).includes(true);
  } catch (error) {
    if (generation !== undefined) await of.store.confirm(generation);
    throw error;
  }
}

/** Whether it needs a transaction that may write: its statement writes, or one of its functions has tried to. */
function writes({ writing }: MethodsOfDatabase, job: Job<unknown>, index: number): boolean {
  const { q } = job.runnable;
  try {
    return writing.has(q) || readStatement(q).writes;
  } catch (error) {
    throw new JobFailure(index, job, error);
  }
}

/** Several of them at once, whose values have no spaces. */
function allOf(given: readonly (Basis | undefined)[]): Basis | undefined {
  const bases = given.filter((basis) => basis !== undefined);
  if (bases.length < 2) return bases[0];
  const expected = bases.map((basis) => basis.expected);
  return {
    sql: bases.map(({ sql }) => sql).join(" || ' ' || "),
    expected: expected.includes(undefined) ? undefined : expected.join(" "),
    check(value) {
      const values = value?.split(" ") ?? [];
      bases.forEach(({ check }, index) => check(values[index]));
    },
  };
}
