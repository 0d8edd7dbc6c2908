/**
 * A dry run: PostgreSQL describes the types of a method's statement, runs it, and rolls everything back. The member
 * `definition` describes a draft: the stored method is not changed, the answer has the types as `input_schema` and
 * `output_schema`, and without `params` nothing runs.
 */
import type { z } from "zod";
import type { UserSqlTransaction } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { check } from "../../kernel/rest/body.ts";
import { isVetted, limited, setsOf } from "./calls.ts";
import { columnsOf } from "../values/columns.ts";
import { methodDraft } from "../definition.ts";
import { errorText, isInvalid, readMessage, resultText, type Id, type Request } from "./envelope.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import { withArguments } from "../functions.ts";
import type { CallContext, Found, Method, Params, Runnable } from "../method.ts";
import { nullabilityOf } from "../statement/nullability.ts";
import type { Prepared } from "../statement/prepare.ts";
import { explainToWriter, render } from "./render.ts";
import { endTrial } from "./rollbackNotes.ts";
import { AnswerRoom, Result } from "./result.ts";
import { nullsIn, run } from "./run.ts";
import { checkReferenceSystem, DEFAULT_SRS, toRunnable } from "./sqlStatements.ts";
import { inputTypes, outputTypes } from "../typescript.ts";

/**
 * A dry run of one request: it runs and is rolled back, and the types of the method are stored. The answer as JSON text;
 * never rejects.
 */
export async function answerDryRun(of: MethodsOfDatabase, context: CallContext, json: unknown): Promise<string> {
  let id: Id = null;
  let draft: Draft | undefined;
  try {
    const { requests, batch } = readMessage(json);
    const [request] = requests;
    if (batch || request?.id === undefined)
      throw new GatewayError("INVALID_REQUEST", "A dry run takes one request with an id");
    id = request.id;
    if (isInvalid(request)) throw request.invalid;
    draft = readDraft(json);
    if (draft) await checkReferenceSystem(of, draft.definition.srs ?? DEFAULT_SRS);
    return resultText(id, await dryRun(of, context, request, draft));
  } catch (error) {
    return errorText(id, render(draft ? explainToWriter(error) : error, context, of.options));
  }
}

interface Draft {
  readonly definition: z.infer<typeof methodDraft>;
  /** Whether it is only described. */
  readonly isDescribed: boolean;
}

/** Throws `BAD_USER_INPUT`. */
function readDraft(json: unknown): Draft | undefined {
  const { definition, params } = json as { readonly definition?: unknown; readonly params?: unknown };
  return definition === undefined
    ? undefined
    : { definition: check(methodDraft, definition), isDescribed: params === undefined };
}

async function dryRun(
  of: MethodsOfDatabase,
  context: CallContext,
  request: Request,
  draft: Draft | undefined,
): Promise<string> {
  const { identity, address, signal, through: service = "rpc" } = context;
  const stored = draft ? undefined : await findStored(of, context, request.method);
  const runnable = stored ?? toRunnable(draft!.definition, of.options);
  const { text, found } = await of.database.withOwnLogin(
    identity,
    {
      service,
      address,
      signal,
      published: stored !== undefined && isVetted(stored, context),
      timeoutMs: runnable.timeoutMs,
      totalTimeoutMs: Math.max(of.options.sqlRequestTimeoutMs, runnable.timeoutMs ?? 0),
    },
    (transaction) => {
      transaction.rollbackOnly();
      return draft?.isDescribed
        ? describeOnly(of, transaction, identity.role, runnable)
        : tryOut(of, transaction, identity.role, { runnable, request, tellsTypes: draft !== undefined });
    },
  );
  if (stored) await of.store.noteTypes(stored, found);
  return text;
}

/** The present definition. Throws `METHOD_NOT_FOUND`. */
async function findStored(of: MethodsOfDatabase, { identity }: CallContext, name: string): Promise<Method> {
  of.store.forget(identity);
  const { methods } = await of.store.find(identity, [name]);
  const stored = methods.get(name);
  if (!stored) throw new GatewayError("METHOD_NOT_FOUND");
  return limited(stored, of.options);
}

interface DryAnswer {
  readonly text: string;
  readonly found: Found;
}

function typesOf({ inputSchema, outputSchema }: Found): Readonly<Record<string, unknown>> {
  return { input_schema: inputSchema, output_schema: outputSchema };
}

async function describeOnly(
  of: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  role: string,
  runnable: Runnable,
): Promise<DryAnswer> {
  of.prepared.forget(role, runnable);
  const found = await findTypes(transaction, await of.prepared.prepareAnew(transaction, runnable), runnable);
  return { text: JSON.stringify({ schema: {}, data: [], ...typesOf(found) }), found };
}

interface Trial {
  readonly runnable: Runnable;
  readonly request: Request;
  /** Whether the answer has the types: those of a draft are stored nowhere. */
  readonly tellsTypes: boolean;
}

async function tryOut(
  of: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  role: string,
  { runnable: whole, request, tellsTypes }: Trial,
): Promise<DryAnswer> {
  const sets = setsOf(request);
  const prepareFor = (runnable: Runnable): Promise<Prepared> => {
    of.prepared.forget(role, runnable);
    return of.prepared.prepareAnew(transaction, runnable);
  };
  let runnable = withArguments(whole, sets[0]!);
  let prepared = await prepareFor(runnable);
  const found = await findTypes(transaction, prepared, runnable, sets);
  const result = new Result(whole.outputFormat, whole.srs, new AnswerRoom(of.options.maxAnswerBytes));
  try {
    let rowsBefore = 0;
    for (const params of sets) {
      const before = runnable;
      runnable = withArguments(whole, params);
      if (runnable.q !== before.q) prepared = await prepareFor(runnable);
      const outcome = await run({
        transaction,
        prepared,
        runnable,
        params,
        rowsBefore,
        form: result.form,
        onColumns: (columns) => result.start(columns),
        onRows: (rows) => result.add(rows),
      });
      rowsBefore += outcome.rows;
      result.affected += outcome.affected;
    }
    const notes = [...(request.notes ?? []), ...(await endTrial(transaction, [prepared]))];
    return { text: await result.toText({ notes, ...(tellsTypes && typesOf(found)) }), found };
  } finally {
    await result.close();
  }
}

/** Facts about a statement without running it. `sets`: the parameters that it would run with. */
export async function findTypes(
  transaction: UserSqlTransaction,
  prepared: Prepared,
  runnable: Runnable,
  sets: readonly Params[] = [],
): Promise<Found> {
  const { nullable, relations } = await nullabilityOf(transaction, prepared);
  const columns = columnsOf(prepared, prepared.fields, runnable);
  return {
    inputSchema: inputTypes(prepared, nullsIn(prepared, sets)),
    outputSchema: outputTypes(columns, nullable),
    relations,
  };
}
