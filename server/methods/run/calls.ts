/** Calls of stored methods: a message of JSON-RPC in, its answer out; all of a message in one transaction. */
import { GatewayError, toGatewayError } from "../../ground/errors.ts";
import { withRetries } from "../../ground/retry.ts";
import { errorText, isInvalid, readMessage, resultText, type Id, type Message, type Request } from "./envelope.ts";
import { JobFailure, remediesOf, runJobs, type CallOptions, type Job, type MethodsOfDatabase } from "./execution.ts";
import type { CallContext, Method, Params } from "../method.ts";
import { render } from "./render.ts";
import { resultsIn, type Result } from "./result.ts";
import { readStatement } from "../statement/statement.ts";

/** A request of a message with the method that it calls. */
interface Call {
  readonly request: Request;
  readonly method: Method;
}

export interface Answer {
  /** JSON text; undefined when nothing is to be sent. */
  readonly text: string | undefined;
  /** The key of the result of one call of a cached method. */
  readonly etag?: string;
}

/** Answers a message; errors become answers. Throws only `UNAUTHENTICATED`, when the account was removed meanwhile. */
export async function answerMessage(of: MethodsOfDatabase, caller: CallContext, json: unknown): Promise<Answer> {
  let message: Message;
  try {
    message = readMessage(json);
  } catch (error) {
    return { text: errorText(null, render(error, caller, of.options)) };
  }
  // a client that expects no answer may leave
  const isSilent = message.requests.every((request) => !isInvalid(request) && request.id === undefined);
  const context = isSilent ? { ...caller, signal: undefined } : caller;
  const tell = (reasonOf: (request: Request) => unknown): Answer => ({
    text: failed(message, reasonOf, (error) => render(error, context, of.options)),
  });
  if (message.requests.every(isInvalid)) return tell(() => undefined);
  let calls: readonly Call[] = [];
  const attempt = async (): Promise<Answer> => {
    const found = await findCalls(of, context, message);
    const { unknown, generation } = found;
    ({ calls } = found);
    if (unknown.size > 0 || message.requests.some(isInvalid))
      return tell((request) => (unknown.has(request) ? new GatewayError("METHOD_NOT_FOUND") : undefined));
    const keeping = callToKeep(message, calls);
    const kept = keeping && (await answerFromCache(of, context, keeping, found));
    if (kept) return kept;
    const results = await runCalls(of, context, calls, generation);
    return { text: succeeded(message, results) };
  };
  try {
    return await withRetries(attempt, remediesOf(of, context));
  } catch (error) {
    const cause = error instanceof JobFailure ? error.cause : error;
    if (toGatewayError(cause).code === "UNAUTHENTICATED") throw toGatewayError(cause);
    if (!(error instanceof JobFailure)) return tell(() => error);
    return tell((request) => (calls[error.index]!.request === request ? error.cause : undefined));
  }
}

/** The answer to a message that is refused as a whole: each request with an id gets `reason`. */
export function refuseMessage(
  caller: CallContext,
  json: unknown,
  reason: unknown,
  options: Pick<CallOptions, "log">,
): string | undefined {
  const show = (error: unknown): object => render(error, caller, options);
  try {
    return failed(readMessage(json), () => reason, show);
  } catch (error) {
    return errorText(null, show(error));
  }
}

/** The only request of a message, for a method that says how long its result may be kept. */
function callToKeep({ batch }: Message, [call]: readonly Call[]): Call | undefined {
  return !batch && call?.request.id !== undefined && call.method.cacheSeconds ? call : undefined;
}

/** Throws as `runCalls`. */
async function answerFromCache(
  of: MethodsOfDatabase,
  context: CallContext,
  call: Call,
  { calls, generation }: Found,
): Promise<Answer | undefined> {
  if (context.through !== undefined) return undefined; // a kept result was read only under the rules of this door
  if (of.writing.has(call.method.q) || readStatement(call.method.q).writes) return undefined;
  const key = of.cache.key(context, call.method, call.request.params, generation);
  const known = of.cache.get(key);
  if (known) await of.store.confirm(generation);
  const { result, etag } =
    known ??
    (await of.cache.fill(key, context, call.method, async () => {
      const [text] = await runCalls(of, context, calls, generation);
      return text!;
    }));
  return { text: resultText(call.request.id ?? null, result), etag };
}

interface Found {
  readonly calls: readonly Call[];
  readonly unknown: ReadonlySet<Request>;
  readonly generation: string;
}

async function findCalls(
  { store }: MethodsOfDatabase,
  { identity }: CallContext,
  { requests }: Message,
): Promise<Found> {
  const wanted = requests.flatMap((request) => (isInvalid(request) ? [] : [request]));
  const { methods, generation } = await store.find(identity, [...new Set(wanted.map(({ method }) => method))]);
  const calls = wanted.flatMap((request) => {
    const method = methods.get(request.method);
    return method ? [{ request, method }] : [];
  });
  return { calls, generation, unknown: new Set(wanted.filter((request) => !methods.has(request.method))) };
}

function runCalls(
  of: MethodsOfDatabase,
  context: CallContext,
  calls: readonly Call[],
  generation: string,
): Promise<string[]> {
  const open = resultsIn(of.options.maxAnswerBytes);
  const jobs = calls.map(({ request, method }, index): Job<string> => ({
    runnable: limited(method, of.options),
    sets: setsOf(request),
    open: () => open(method, index),
    finish(sink, affected) {
      const result = sink as Result;
      result.affected = affected;
      return result.toText(request.notes && { notes: request.notes });
    },
  }));
  return runJobs(of, context, jobs, {
    service: "rpc",
    published: calls.every(({ method }) => isVetted(method, context)),
    generation,
  });
}

export function setsOf({ params, repeated }: Request): readonly Params[] {
  return repeated ? (params as readonly Params[]) : [params];
}

/** A method of another account can be called if a super user owns or has published it. */
export function isVetted({ published, owner }: Method, { identity }: CallContext): boolean {
  return published || owner !== identity.name;
}

/** A method runs longer than the configured limit only where a super user has approved it. */
export function limited(method: Method, { statementTimeoutMs }: CallOptions): Method {
  const { timeoutMs, published } = method;
  if (timeoutMs === undefined || published) return method;
  return { ...method, timeoutMs: Math.min(timeoutMs, statementTimeoutMs) };
}

// Answers -----------------------------------------------------------------------------------------

/** `results`: by the place of the request. */
function succeeded({ batch, requests }: Message, results: readonly string[]): string | undefined {
  const texts = (requests as readonly Request[]).flatMap(({ id }, at) =>
    id === undefined ? [] : resultText(id, results[at]!),
  );
  return wrap(batch, texts);
}

/** Answers each request with an id: with its own failure, or with the message that another one's failure undid it. */
function failed(
  { batch, requests }: Message,
  reasonOf: (request: Request) => unknown,
  show: (error: unknown) => object,
): string | undefined {
  const first = requests.find((request) => isInvalid(request) || reasonOf(request) !== undefined);
  const failedId: Id = first?.id ?? null;
  const texts = requests.flatMap((request) => {
    const reason = isInvalid(request) ? request.invalid : reasonOf(request);
    if (request.id === undefined) {
      if (reason !== undefined) show(reason); // for the log
      return [];
    }
    const rolledBack = new GatewayError("ROLLED_BACK", undefined, { members: { failed: failedId } });
    return errorText(request.id, show(reason ?? rolledBack));
  });
  return wrap(batch, texts);
}

function wrap(batch: boolean, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  return batch ? `[${texts.join(",")}]` : texts[0];
}

/** The same for one that is streamed: throws instead. */
export function singleRequest(json: unknown): Request | undefined {
  if (Array.isArray(json)) return undefined;
  const [request] = readMessage(json).requests; // the JSON answer reports the error
  return request && !isInvalid(request) && request.id !== undefined ? request : undefined;
}
