/** `/api/v4/sql`: statements that are run without being stored. */
import { z } from "zod";
import { badInput, GatewayError, sqlstateOf } from "../../ground/errors.ts";
import { IGNORED_OF_SQL, notesOnIgnored } from "../../kernel/http/ignoredMembers.ts";
import { withRetries } from "../../ground/retry.ts";
import { check } from "../../kernel/rest/body.ts";
import { sqlStatement } from "../definition.ts";
import { noReferenceSystem } from "../values/convert.ts";
import { isObject } from "./envelope.ts";
import { JobFailure, remediesOf, runJobs, type CallOptions, type Job, type MethodsOfDatabase } from "./execution.ts";
import { OUTPUT_FORMATS } from "../../formats/names.ts";
import type { CallContext, Params, Runnable } from "../method.ts";
import { explainSql } from "./explainSql.ts";
import { explainToWriter } from "./render.ts";
import { resultsIn, type Result } from "./result.ts";
import { formatFor, streamJob, type RowStream } from "./stream.ts";

type SqlStatement = z.infer<typeof sqlStatement>;

const MAX_STATEMENTS = 1000;
export const DEFAULT_SRS = 4326;

/**
 * Runs one statement or a list of them, in one transaction. Gives JSON text: of one result, or of a list for a list.
 * Throws `BAD_USER_INPUT` with `sqlstate` for what PostgreSQL refuses, `FORBIDDEN`, `TIMEOUT`, `LIMIT_EXCEEDED`.
 */
export async function answerSql(of: MethodsOfDatabase, context: CallContext, json: unknown): Promise<string> {
  const statements = Array.isArray(json)
    ? check(z.array(sqlStatement).min(1).max(MAX_STATEMENTS), json)
    : [check(sqlStatement, json)];
  const [first] = statements;
  if (statements.some(({ explain }) => explain !== undefined)) {
    if (Array.isArray(json)) badInput("explain: takes one statement, not a list");
    const { explain } = first!;
    return explainSql(of, context, {
      runnable: toRunnable(first!, of.options),
      sets: toSets(first!),
      explain: explain!,
    });
  }
  const dry = isDry(statements);
  const open = resultsIn(of.options.maxAnswerBytes);
  const jobs = statements.map((statement, index): Job<string> => {
    const runnable = toRunnable(statement, of.options);
    const wanted = { srs: runnable.srs, outputFormat: statement.output_format ?? "json" } as const;
    return {
      runnable,
      sets: toSets(statement),
      open: () => open(wanted, index),
      finish(sink, affected, undone) {
        (sink as Result).affected = affected;
        const { notes: ignored = [] } = notesOnIgnored(statement, IGNORED_OF_SQL);
        const notes = [...ignored, ...undone];
        return (sink as Result).toText(notes.length > 0 ? { notes } : {});
      },
    };
  });
  const results = await runAll(of, context, jobs, { dry });
  return Array.isArray(json) ? `[${results.join(",")}]` : results[0]!;
}

/**
 * The rows of one statement as a document of their own, in its `output_format` where `accepts` takes that, and without
 * one in the format that `accepts` takes instead of JSON. `send` rejects as `answerSql` does. Throws `BAD_USER_INPUT`.
 */
export function openSqlStream(
  of: MethodsOfDatabase,
  context: CallContext,
  json: unknown,
  accepts: (mediaType: string) => boolean,
): RowStream | undefined {
  if (Array.isArray(json)) return undefined;
  const statement = check(sqlStatement, json);
  if (statement.explain !== undefined) return undefined;
  const names =
    statement.output_format !== undefined
      ? [statement.output_format]
      : accepts("application/json")
        ? []
        : OUTPUT_FORMATS;
  const format = names.map((name) => formatFor(name, accepts)).find((found) => found !== undefined);
  if (!format) return undefined;
  return {
    mediaType: format.mediaType,
    async send(write) {
      const job = streamJob(toRunnable(statement, of.options), toSets(statement), format, write);
      await runAll(of, context, [job], { dry: isDry([statement]), hasBegun: () => job.hasBegun });
    },
  };
}

async function runAll<T>(
  of: MethodsOfDatabase,
  context: CallContext,
  jobs: readonly Job<T>[],
  { dry, hasBegun }: { readonly dry: boolean; readonly hasBegun?: () => boolean },
): Promise<T[]> {
  try {
    await checkReferenceSystems(of, jobs);
    return await withRetries(
      () => runJobs(of, context, jobs, { service: "sql", published: false, dry }),
      remediesOf(of, context),
      { ...(hasBegun && { hasBegun }) },
    );
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw toProblemOf(error, jobs.length);
  }
}

/** Throws `BAD_USER_INPUT` where only some of them are. */
function isDry(statements: readonly SqlStatement[]): boolean {
  const count = statements.filter(({ dry = false }) => dry).length;
  if (count > 0 && count < statements.length) badInput("dry: in a list it is true for all of them, or for none");
  return count > 0;
}

/** Throws `INVALID_PARAMS` for one that the database does not have. */
export async function checkReferenceSystem({ database }: MethodsOfDatabase, srs: number): Promise<void> {
  if (srs === DEFAULT_SRS) return;
  const { known } = await database.db.one<{ known: boolean }>("select portolan.has_reference_system($1) as known", [
    srs,
  ]);
  if (!known) throw noReferenceSystem(srs);
}

/** Throws `JobFailure` for one that the database does not have. */
async function checkReferenceSystems(of: MethodsOfDatabase, jobs: readonly Job<unknown>[]): Promise<void> {
  for (const [index, job] of jobs.entries()) {
    const { srs } = job.runnable;
    if (index > 0 && srs === jobs[index - 1]!.runnable.srs) continue;
    await checkReferenceSystem(of, srs).catch((error: unknown) => {
      throw new JobFailure(index, job, error);
    });
  }
}

/** The execution of a statement that is not stored. */
export function toRunnable(statement: SqlStatement, { statementTimeoutMs }: CallOptions): Runnable {
  const { q, type_hints, type_formats, output_format, srs, timeout_ms, max_rows } = statement;
  return {
    q,
    typeHints: type_hints ?? {},
    typeFormats: type_formats ?? {},
    outputFormat: output_format ?? "json",
    srs: srs ?? DEFAULT_SRS,
    timeoutMs: timeout_ms == null ? undefined : Math.min(timeout_ms, statementTimeoutMs),
    maxRows: max_rows ?? undefined,
  };
}

function toSets({ params }: SqlStatement): readonly Params[] {
  const repeated = Array.isArray(params) && params.length > 0 && params.every(isObject);
  return repeated ? (params as Params[]) : [(params ?? {}) as Params];
}

function toProblemOf(failure: JobFailure, count: number): GatewayError {
  const error = explainToWriter(failure.cause);
  if (count === 1) return error;
  const { code, message, members, cause, headers } = error;
  return new GatewayError(code, message, {
    sqlstate: sqlstateOf(error),
    members: { ...members, statement: failure.index },
    cause,
    headers,
  });
}
