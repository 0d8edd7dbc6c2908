/** Calls of stored methods: a message of JSON-RPC in, its answer out; all of a message in one transaction. */
import type { Database, ForeignTransaction } from "../database.ts";
import { GatewayError, isServerFault, sqlstateOf, toGatewayError, toJsonRpcError } from "../errors.ts";
import type { Log } from "../log.ts";
import { findTypes, notesOn, onlyOne } from "./dryRun.ts";
import { errorText, isInvalid, readMessage, resultText, type Id, type Message, type Request } from "./envelope.ts";
import type { CallContext, Method } from "./method.ts";
import type { PreparedStatements } from "./prepare.ts";
import { JsonResult } from "./result.ts";
import { isOutdated, run, wantsToWrite, type Params } from "./run.ts";
import { parserIsReady, readStatement } from "./statement.ts";
import { GENERATION, type MethodStore } from "./store.ts";

/** What belongs to one database. */
export interface MethodsOfDatabase {
  readonly database: Database;
  readonly store: MethodStore;
  readonly prepared: PreparedStatements;
  /** Statements that have turned out to write, through a function. */
  readonly writing: Set<string>;
}

export interface CallOptions {
  readonly maxAnswerBytes: number;
  readonly statementTimeoutMs: number;
  readonly log: Log;
}

/** A request of a message with what it calls. */
interface Call {
  readonly request: Request;
  readonly method: Method;
}

/** Which request has failed, and how. */
class CallFailure extends Error {
  readonly call: Call;
  constructor(call: Call, cause: unknown) {
    super("a call failed", { cause });
    this.call = call;
  }
}

/** A definition was changed after it was read: nothing was done, and it is to be read again. */
class Stale extends Error {}

const MAX_TRIES = 4;

/** The answer as JSON text, or undefined when there is none. Never throws: what goes wrong is the answer. */
export async function answerMessage(
  of: MethodsOfDatabase,
  context: CallContext,
  json: unknown,
  options: CallOptions,
): Promise<string | undefined> {
  let message: Message;
  try {
    message = readMessage(json);
  } catch (error) {
    return errorText(null, render(error, context, options));
  }
  const failures = new Map<Request, GatewayError>();
  const calls: Call[] = [];
  try {
    const found = await findMethods(of, context, message);
    for (const request of message.requests) {
      if (isInvalid(request)) continue;
      const method = found.methods.get(request.method);
      if (method) calls.push({ request, method });
      else failures.set(request, new GatewayError("METHOD_NOT_FOUND"));
    }
    if (failures.size > 0 || message.requests.some(isInvalid))
      return failed(message, (request) => failures.get(request), context, options);
    const results = await runCalls(of, context, calls, options);
    return succeeded(message, results);
  } catch (error) {
    const failure = error instanceof CallFailure ? error : undefined;
    const reason = toGatewayError(failure?.cause ?? error);
    if (reason.code === "CLIENT_GONE") return undefined;
    return failed(
      message,
      (request) => (!failure || failure.call.request === request ? reason : undefined),
      context,
      options,
    );
  }
}

function findMethods({ store }: MethodsOfDatabase, { identity }: CallContext, { requests }: Message) {
  const names = requests.flatMap((request) => (isInvalid(request) ? [] : request.method));
  return store.find(identity, [...new Set(names)]);
}

/** Runs all, or none takes effect. */
async function runCalls(
  of: MethodsOfDatabase,
  context: CallContext,
  calls: readonly Call[],
  options: CallOptions,
): Promise<Map<Request, string>> {
  let current = calls;
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(of, context, current, options);
    } catch (error) {
      if (attempt === MAX_TRIES) throw error;
      const cause = error instanceof CallFailure ? error.cause : error;
      if (error instanceof Stale) current = await readAgain(of, context, calls);
      else if (error instanceof CallFailure && wantsToWrite(cause) && !of.writing.has(error.call.method.q))
        of.writing.add(error.call.method.q);
      else if (error instanceof CallFailure && isOutdated(cause))
        of.prepared.forget(context.identity.role, error.call.method);
      else throw error;
    }
  }
}

async function readAgain(of: MethodsOfDatabase, context: CallContext, calls: readonly Call[]): Promise<Call[]> {
  of.store.forget(context.identity);
  const { methods } = await of.store.find(context.identity, [...new Set(calls.map(({ method }) => method.method))]);
  return calls.map((call) => {
    const method = methods.get(call.method.method);
    if (!method) throw new CallFailure(call, new GatewayError("METHOD_NOT_FOUND"));
    return { ...call, method };
  });
}

async function runOnce(
  of: MethodsOfDatabase,
  { identity, address, signal }: CallContext,
  calls: readonly Call[],
  options: CallOptions,
): Promise<Map<Request, string>> {
  const seen = await of.store.find(identity, [...new Set(calls.map(({ method }) => method.method))]);
  await parserIsReady;
  return of.database.withOwnLogin(
    identity,
    {
      service: "rpc",
      address,
      signal,
      readOnly: !calls.some((call) => writes(of, call)),
      published: calls.every(({ method }) => method.published || method.owner !== identity.name),
      timeoutMs: Math.max(...calls.map(({ method }) => timeoutOf(method, options))),
      probe: GENERATION,
    },
    async (transaction) => {
      const results = new Map<Request, string>();
      for (const call of calls) {
        const result = new JsonResult(options.maxAnswerBytes);
        try {
          await runCall(of, identity.role, transaction, call, result);
        } catch (error) {
          // a definition that has changed is why it failed
          if (await isStale(transaction, seen.generation)) throw new Stale();
          throw new CallFailure(call, error);
        }
        results.set(call.request, result.toText());
      }
      if (await isStale(transaction, seen.generation)) throw new Stale();
      return results;
    },
  );
}

async function isStale(transaction: ForeignTransaction, generation: string): Promise<boolean> {
  const probed = transaction.begun
    ? await transaction.probed.catch(() => generation) // what made BEGIN fail has been told
    : (await transaction.query<{ probe: string }>({ text: `select ${GENERATION} as probe` })).rows[0]?.probe;
  return probed !== generation;
}

async function runCall(
  { prepared }: MethodsOfDatabase,
  role: string,
  transaction: ForeignTransaction,
  { request, method }: Call,
  result: JsonResult,
): Promise<void> {
  const ready = await prepared.prepare(transaction, role, method);
  const sets = (request.repeated ? request.params : [request.params]) as readonly Params[];
  for (const params of sets) {
    const outcome = await run({
      transaction,
      prepared: ready,
      runnable: method,
      params,
      rowsBefore: result.rows,
      onColumns: (columns) => result.start(columns),
      onRows: (rows) => result.add(rows),
    });
    result.rows += outcome.rows;
    result.affected += outcome.affected;
  }
}

/** Whether a call needs a transaction that may write: by its statement, or by what a function of it has tried to do. */
function writes({ writing }: MethodsOfDatabase, call: Call): boolean {
  try {
    return writing.has(call.method.q) || readStatement(call.method.q).writes;
  } catch (error) {
    throw new CallFailure(call, error);
  }
}

function timeoutOf({ timeoutMs, published }: Method, { statementTimeoutMs }: CallOptions): number {
  if (timeoutMs === undefined) return statementTimeoutMs;
  return published ? timeoutMs : Math.min(timeoutMs, statementTimeoutMs);
}

/**
 * A dry run of one request: it is run and rolled back, and what it says of the method's types is kept. The answer as
 * JSON text; never throws.
 */
export async function answerDryRun(
  of: MethodsOfDatabase,
  context: CallContext,
  json: unknown,
  options: CallOptions,
): Promise<string> {
  let id: Id = null;
  try {
    const { requests, batch } = readMessage(json);
    const [request] = requests;
    if (batch || !request || isInvalid(request) || request.id === undefined) return onlyOne();
    id = request.id;
    return resultText(id, await dryRun(of, context, request, options));
  } catch (error) {
    return errorText(id, render(error instanceof CallFailure ? error.cause : error, context, options));
  }
}

async function dryRun(
  of: MethodsOfDatabase,
  { identity, address, signal }: CallContext,
  request: Request,
  options: CallOptions,
): Promise<string> {
  of.store.forget(identity);
  const { methods } = await of.store.find(identity, [request.method]);
  const method = methods.get(request.method);
  if (!method) throw new GatewayError("METHOD_NOT_FOUND");
  const published = method.published || method.owner !== identity.name;
  const context = { service: "rpc", address, signal, published, timeoutMs: timeoutOf(method, options) } as const;
  of.prepared.forget(identity.role, method);
  const { result, found } = await of.database.withOwnLogin(identity, context, async (transaction) => {
    transaction.rollbackOnly();
    const prepared = await of.prepared.prepare(transaction, identity.role, method);
    const found = await findTypes(transaction, prepared, method);
    const result = new JsonResult(options.maxAnswerBytes);
    await runCall(of, identity.role, transaction, { request, method }, result);
    return { result: result.toText({ notes: await notesOn(transaction, prepared) }), found };
  });
  await of.store.noteTypes(method, found);
  return result;
}

// Answers -----------------------------------------------------------------------------------------

function succeeded({ batch, requests }: Message, results: ReadonlyMap<Request, string>): string | undefined {
  const texts = (requests as readonly Request[]).flatMap((request) =>
    request.id === undefined ? [] : resultText(request.id, results.get(request)!),
  );
  return wrap(batch, texts);
}

/** Each request that has an id is told: its own failure, or that another one's undid it. */
function failed(
  { batch, requests }: Message,
  reasonOf: (request: Request) => GatewayError | undefined,
  context: CallContext,
  options: CallOptions,
): string | undefined {
  const first = requests.find((request) => isInvalid(request) || reasonOf(request));
  const failedId: Id = first && !isInvalid(first) ? (first.id ?? null) : null;
  const texts = requests.flatMap((request) => {
    if (isInvalid(request)) return errorText(null, render(request.invalid, context, options));
    const reason = reasonOf(request);
    if (request.id === undefined) {
      if (reason) render(reason, context, options); // for the log
      return [];
    }
    return errorText(
      request.id,
      render(reason ?? new GatewayError("ROLLED_BACK", undefined, { members: { failed: failedId } }), context, options),
    );
  });
  return wrap(batch, texts);
}

function wrap(batch: boolean, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  return batch ? `[${texts.join(",")}]` : texts[0];
}

/** What is ours to mend goes to the log. */
export function render(thrown: unknown, { requestId }: CallContext, { log }: Pick<CallOptions, "log">): object {
  const error = toGatewayError(withPlace(thrown));
  if (isServerFault(error) && sqlstateOf(error) === undefined)
    log.error({ requestId, code: error.code, ...error.members, err: error.cause ?? error }, "failure");
  return toJsonRpcError(error);
}

/** Where in the statement, and PostgreSQL's hint, of an error in the caller's own SQL. */
function withPlace(thrown: unknown): unknown {
  const error = (thrown instanceof GatewayError ? thrown.cause : thrown) as
    { position?: string; hint?: string } | undefined;
  const sqlstate = sqlstateOf(thrown);
  if (sqlstate === undefined) return thrown;
  const known = toGatewayError(thrown);
  const { errorId: _errorId, ...shown } = known.members; // what PostgreSQL says of somebody's SQL is no failure of ours
  const members = {
    ...shown,
    ...(error?.hint !== undefined && sqlstate !== "42501" && { hint: error.hint }),
    ...(error?.position !== undefined && { position: Number(error.position) }),
  };
  return new GatewayError(known.code, known.message, { ...known, sqlstate, members, cause: known.cause ?? thrown });
}
