/** Requests to the public interfaces as the signed-in account. */
import { service } from "./address.ts";
import { endSignIn, signInEnd, token } from "./session.ts";
import { t } from "../../words/words.ts";

/** An error answer, with the message of the service. */
export class ServiceError extends Error {
  readonly code: string;
  /** The SQL for the owner, where the service refuses to alter somebody else's object. */
  readonly sql: string | undefined;
  /** The position in a statement or filter, in characters from 1. */
  readonly position: number | undefined;
  /** The number of the statement that it is about, from 0. */
  readonly statement: number | undefined;
  /** The id with which the service explains a refusal: `GET /requests/{id}`. */
  readonly requestId: string | undefined;
  constructor(
    message: string,
    code: string,
    { sql, position, statement, requestId }: Pick<Problem, "sql" | "position" | "statement" | "requestId"> = {},
  ) {
    super(message);
    this.code = code;
    this.sql = sql;
    this.position = position;
    this.statement = statement;
    this.requestId = requestId;
  }
}

interface Problem {
  readonly requestId?: string | undefined;
  readonly position?: number;
  readonly statement?: number;
  readonly detail?: string;
  readonly title?: string;
  readonly code?: string;
  readonly sql?: string;
}

/** `path`: below the service. Throws `ServiceError`. */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return answerTo(new Request(`${service}${path}`, init));
}

/** Throws `ServiceError`. */
export async function answerTo(request: Request): Promise<Response> {
  const bearer = await reached(token(), request);
  if (signInEnd.hasCome()) throw signedOut();
  const isOwn = bearer !== undefined && !request.headers.has("Authorization");
  if (isOwn) request.headers.set("Authorization", `Bearer ${bearer}`);
  const response = await reached(fetch(request), request);
  if (response.ok || response.type === "opaqueredirect") return response;
  if (isOwn && response.status === 401) {
    endSignIn();
    throw signedOut();
  }
  const problem = (await response.json().catch(() => ({}))) as Problem & GraphqlAnswer<unknown>;
  const message = problem.detail ?? problem.title ?? problem.errors?.[0]?.message ?? response.statusText;
  if (response.status === 413)
    throw new ServiceError(t("This is too much at once: {message}.", { message }), "TOO_LARGE");
  const told = problem.code === "REPEATED" ? repeated() : message;
  throw new ServiceError(told, problem.code ?? String(response.status), { ...problem, ...idOf(response) });
}

/** The message of a write that was sent again after its answer was lost. */
export function repeated(): string {
  return t("The first attempt was carried out, and only its answer was lost. Nothing was done twice.");
}

/** What was asked for. Throws UNREACHABLE where the network fails, which `fetch` tells by a `TypeError`. */
async function reached<T>(asked: Promise<T>, { signal }: Pick<AskOptions, "signal">): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    if (signal?.aborted || !(cause instanceof TypeError)) throw cause;
    throw unreachable();
  }
}

/** The message of a network that fails. */
export function unreachable(): ServiceError {
  return new ServiceError(t("The service does not answer. What you have written is still here."), "UNREACHABLE");
}

/** The refusal in an answer of GraphQL, which has status 200; null where nothing was refused. */
export function refusalIn({ errors }: GraphqlAnswer<unknown>, response: Response): ServiceError | null {
  const refused = errors?.find(({ extensions }) => extensions?.code === "FORBIDDEN");
  return refused ? new ServiceError(refused.message, "FORBIDDEN", idOf(response)) : null;
}

function idOf({ headers }: Response): { readonly requestId: string | undefined } {
  return { requestId: headers.get("X-Request-Id") ?? undefined };
}

/** The message of an ended sign-in. */
export function signedOut(): ServiceError {
  return new ServiceError(t("Your sign-in has ended. What you have written is still here."), "SIGNED_OUT");
}

export function json(body: unknown): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export interface GraphqlAnswer<Data> {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Changes the message of an error. Default: the message of the service. */
  readonly tell?: (message: string) => string;
  /** A mutation with this key is carried out once: see `requestKey.ts`. */
  readonly key?: string | undefined;
  /** Whether one value of a row may make it large, as a shape of many points does. Default false. */
  readonly mayBeLarge?: boolean;
}

/** In characters. A longer body goes to the address for large ones, which costs the service one more check. */
const LARGE = 200_000;

/** The words about an operation that the console has composed from an earlier schema: GraphQL's, and those about data. */
const OF_EARLIER_SCHEMA = /^(Cannot query field|Unknown argument) "|^(objects\.\d+: )?data: unknown column "/;

/** Runs a GraphQL operation on a schema. Throws the first error, with the message of `tell`. */
export async function graphql<Data>(
  schema: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  { signal, tell = (message) => message, key, mayBeLarge = false }: AskOptions = {},
): Promise<Data> {
  const init = json({ query, variables });
  const isLarge = mayBeLarge && (init.body as string).length > LARGE;
  const path = `/api/graphql/schema/${encodeURIComponent(schema)}${isLarge ? "/large" : ""}`;
  const headers = { ...(init.headers as Record<string, string>), ...(key !== undefined && { "Idempotency-Key": key }) };
  const response = await ask(path, { ...init, headers, ...(signal && { signal }) });
  const { data, errors } = (await reached(response.json(), { signal })) as GraphqlAnswer<Data>;
  const [error] = errors ?? [];
  if (error && OF_EARLIER_SCHEMA.test(error.message))
    throw new ServiceError(t("The table was altered or dropped since you opened it. Reload the page."), "ALTERED");
  if (error) throw new ServiceError(tell(error.message), error.extensions?.code ?? "INTERNAL", idOf(response));
  return data!;
}
