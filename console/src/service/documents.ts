/** GraphQL documents of the user: the introspection of a schema, and answers with their errors. */
import { queryOptions } from "@tanstack/react-query";
import { getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { json, refusalIn, type GraphqlAnswer, type ServiceError } from "./http/ask.ts";
import { service } from "./http/address.ts";
import { askOnce } from "./http/requestKey.ts";
import { token } from "./http/session.ts";
import { t } from "../words/words.ts";

export interface DocumentRequest {
  readonly query: string;
  readonly variables?: unknown;
  /** The name of one of several operations. */
  readonly operationName?: string | undefined;
}

export type HeaderValues = Readonly<Record<string, string>>;

export function documentPath(schema: string): string {
  return `/api/graphql/schema/${encodeURIComponent(schema)}`;
}

interface DocumentAnswer<Data> {
  /** The whole response as JSON. */
  readonly text: string;
  readonly answer: GraphqlAnswer<Data>;
  readonly refusal: ServiceError | null;
}

/**
 * `headers`: added to those of every request, or in their place. Throws
 * `ServiceError`.
 */
export async function runDocument<Data>(
  schema: string,
  request: DocumentRequest,
  headers: HeaderValues = {},
  signal?: AbortSignal,
): Promise<DocumentAnswer<Data>> {
  const { headers: sent, ...init } = json(request);
  const response = await askOnce(documentPath(schema), {
    ...init,
    headers: { ...(sent as HeaderValues), Accept: "application/json", ...headers },
    ...(signal && { signal }),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as GraphqlAnswer<Data>;
  return { text, answer, refusal: refusalIn(answer, response) };
}

/** The introspection of a schema. */
export const introspection = (schema: string) =>
  queryOptions({
    queryKey: ["introspection", schema],
    queryFn: async ({ signal }) => {
      const request = { query: getIntrospectionQuery() };
      const { answer } = await runDocument<IntrospectionQuery>(schema, request, {}, signal);
      const { data, errors } = answer;
      if (!data) throw new Error(errors?.[0]?.message ?? t("GraphQL does not tell what it offers."));
      return data;
    },
    staleTime: 60_000,
  });

export interface DocumentListener {
  /** The whole response to one event, as JSON. */
  onNext(response: string): void;
  /** Called at the end, with the error if there was one. */
  onEnd(error?: Error): void;
}

/**
 * Runs a subscription over the WebSocket of the service. The returned function ends it. A lost connection is reopened,
 * but not after the sign-in has ended.
 */
export async function followDocument(
  schema: string,
  request: DocumentRequest,
  { Authorization }: HeaderValues,
  { onNext, onEnd }: DocumentListener,
): Promise<() => void> {
  const { createClient } = await import("graphql-ws");
  /** Whether the service has accepted the last token. If that one has expired since, the next one is tried. */
  let isTaken = false;
  const mayRenew = (code: number): boolean => {
    const may = code === UNAUTHENTICATED && isTaken && Authorization === undefined;
    isTaken = false;
    return may;
  };
  const client = createClient({
    url: `${service}${documentPath(schema)}`.replace(/^http/, "ws"),
    connectionParams: async () => ({ Authorization: Authorization ?? `Bearer ${(await token()) ?? ""}` }),
    retryAttempts: Infinity,
    shouldRetry: (closed) => !(closed instanceof CloseEvent && REFUSED.includes(closed.code)) || mayRenew(closed.code),
    on: { connected: () => void (isTaken = true) },
  });
  const { query, variables, operationName } = request;
  const payload = {
    query,
    ...(variables !== undefined && { variables: variables as Record<string, unknown> }),
    ...(operationName !== undefined && { operationName }),
  };
  const end = client.subscribe(payload, {
    next: (response) => onNext(JSON.stringify(response)),
    error: (error) => onEnd(toError(error)),
    complete: () => onEnd(),
  });
  return () => {
    end();
    void client.dispose();
  };
}

/** PROTOCOL.md: closed for a missing message, a missing token or a missing right. */
const UNAUTHENTICATED = 4401;
const REFUSED = [4400, UNAUTHENTICATED, 4403];

/** The error in a rejection of graphql-ws: GraphQL errors, a close event, or an error. */
function toError(thrown: unknown): Error {
  if (Array.isArray(thrown))
    return new Error((thrown as { message: string }[]).map(({ message }) => message).join("\n"));
  if (thrown instanceof CloseEvent)
    return new Error(thrown.reason || t("The connection was closed ({code}).", { code: thrown.code }));
  return thrown instanceof Error ? thrown : new Error(t("The service does not answer."));
}

export interface Operation {
  readonly kind: "query" | "mutation" | "subscription";
  readonly name: string;
}

/** The named operations in a document, as far as it can be parsed. */
export function operationsIn(text: string): readonly Operation[] {
  return [...bare(text).matchAll(/(?:^|\})\s*(query|mutation|subscription)\s+([_A-Za-z]\w*)/g)].map(
    ([, kind, name]) => ({ kind: kind as Operation["kind"], name: name! }),
  );
}

/** Whether the operation of that name, or the only one, is a subscription. */
export function isSubscription(text: string, name: string | undefined): boolean {
  const named = operationsIn(text).find((operation) => operation.name === name);
  return named ? named.kind === "subscription" : /^[\s,]*subscription\b/.test(bare(text));
}

function bare(text: string): string {
  return text.replaceAll(/#.*|"""[^]*?"""|"(?:\\.|[^"\\\n])*"/g, "");
}
