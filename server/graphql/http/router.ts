/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/). */
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import type { Config } from "../../kernel/config.ts";
import { GatewayError, badInput, toGatewayError, toGraphqlError } from "../../ground/errors.ts";
import { sendText, setErrorHeaders, whileConnected } from "../../kernel/http/answer.ts";
import { idempotencyKeyOf } from "../../kernel/http/idempotencyKey.ts";
import { compressAnswer } from "../../kernel/http/compress.ts";
import type { ErrorRenderer, Route } from "../../kernel/http/routes.ts";
import type { Kernel } from "../../kernel.ts";
import { logFailure } from "../../ground/log.ts";
import { eventTablesOf } from "../live/eventTables.ts";
import { executeGraphql, type GraphqlAnswer, type GraphqlRequest } from "../execute.ts";
import { findSchema, type FindSchemaOptions } from "../build/findSchema.ts";
import { NamedDocuments } from "./namedDocuments.ts";
import { readGet, readPost, type Batch } from "./requestBody.ts";

export interface GraphqlDoorOptions extends FindSchemaOptions, Pick<Kernel, "identify" | "countMore" | "log"> {
  readonly config: Pick<Config, "maxBodyBytes" | "maxLargeBodyBytes">;
  /** Documents that requests may name. Default none. */
  readonly named?: NamedDocuments;
}

const GRAPHQL_RESPONSE = "application/graphql-response+json";
const JSON_RESPONSE = "application/json";
type ResponseType = typeof GRAPHQL_RESPONSE | typeof JSON_RESPONSE;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * `POST /api/graphql/schema/{schema}`, and GET for queries; the same for accounts with a large body; and what can be
 * subscribed to.
 */
export function graphqlRoutes(options: GraphqlDoorOptions): readonly Route[] {
  const { named = new NamedDocuments() } = options;
  const renderError: ErrorRenderer = (thrown, request, response) => {
    const error = toGatewayError(thrown);
    setErrorHeaders({ request, response }, error);
    const type = acceptedType(request) ?? JSON_RESPONSE;
    send({ request, response }, { type, status: error.status, text: failureText(error, request, options) });
  };
  return [
    {
      path: "/api/graphql/schema/{schema}",
      summary: "GraphQL of a schema",
      head: false,
      maxBodyBytes: options.config.maxBodyBytes,
      handlers: {
        GET: (request, response, { schema = "" }) =>
          answer({ request, response }, schema, options, () => Promise.resolve(readGet(request.url ?? "", named))),
        POST: (request, response, { schema = "" }) =>
          answer({ request, response }, schema, options, () => readPost(request, options.config.maxBodyBytes, named)),
      },
      renderError,
    },
    {
      path: "/api/graphql/schema/{schema}/large",
      summary: "GraphQL of a schema, with a large body",
      maxBodyBytes: options.config.maxLargeBodyBytes,
      handlers: {
        POST: async (request, response, { schema = "" }) => {
          const { name } = await options.identify(request);
          if (name === "anonymous")
            throw new GatewayError("UNAUTHENTICATED", "Only an account may send a large body", {
              headers: { "WWW-Authenticate": "Bearer" },
            });
          await answer({ request, response }, schema, options, () =>
            readPost(request, options.config.maxLargeBodyBytes, named),
          );
        },
      },
      renderError,
    },
    {
      path: "/api/graphql/schema/{schema}/events",
      summary: "The tables of a schema that the account can subscribe to",
      handlers: {
        GET: async (request, response, { schema = "" }) => {
          const identity = await options.identify(request);
          const tables = await eventTablesOf(await findSchema(identity, schema, options), identity);
          sendText(response, JSON.stringify(tables), { headers: { "Cache-Control": "no-store" } });
        },
      },
      renderError,
    },
  ];
}

async function answer(
  { request, response }: Exchange,
  schema: string,
  options: GraphqlDoorOptions,
  read: () => Promise<GraphqlRequest | Batch>,
): Promise<void> {
  const type = acceptedType(request);
  if (type === undefined)
    throw new GatewayError("NOT_ACCEPTABLE", `GraphQL is answered as ${JSON_RESPONSE} or ${GRAPHQL_RESPONSE}`);
  const { refused, text } = await answerRequest({ request, response }, schema, options, read);
  const status = refused && type === GRAPHQL_RESPONSE ? 400 : 200;
  send({ request, response }, { type, status, text });
}

async function answerRequest(
  { request, response }: Exchange,
  schema: string,
  options: GraphqlDoorOptions,
  read: () => Promise<GraphqlRequest | Batch>,
): Promise<GraphqlAnswer> {
  const identity = await options.identify(request);
  const served = await findSchema(identity, schema, options);
  const asked = await read();
  const { address, requestId, point } = request;
  const onOperation = (operation: string): void => {
    const before = request.operation ?? "";
    if (before.length < LONGEST_OPERATION)
      request.operation = [before, operation].filter(Boolean).join("; ").slice(0, LONGEST_OPERATION);
  };
  const caller = { identity, address, requestId, point, onOperation, signal: whileConnected(response) };
  const onlyQueries = request.method === "GET";
  const idempotencyKey = idempotencyKeyOf(request);
  if (!isBatch(asked))
    return executeGraphql(options.registry, served, { ...asked, idempotencyKey }, { ...caller, onlyQueries });
  if (idempotencyKey !== undefined) return badInput("A batch cannot have the header Idempotency-Key");
  await options.countMore(request, identity, asked.length - 1);
  const texts: string[] = [];
  for (const toRequest of asked) {
    // DDL, or an earlier member, may have changed the schema
    const answered = findSchema(identity, schema, options).then((current) =>
      executeGraphql(options.registry, current, toRequest(), caller),
    );
    texts.push(
      await answered.then(
        ({ text }) => text,
        (error: unknown) => failureText(toGatewayError(error), request, options),
      ),
    );
    if (caller.signal.aborted) throw new GatewayError("CLIENT_GONE");
  }
  return { text: `[${texts.join(",")}]`, refused: false };
}

/** The most characters of a name in the log of requests. */
const LONGEST_OPERATION = 300;

function isBatch(asked: GraphqlRequest | Batch): asked is Batch {
  return Array.isArray(asked);
}

function failureText(error: GatewayError, { requestId }: IncomingMessage, { log }: GraphqlDoorOptions): string {
  logFailure(log, error, requestId);
  return JSON.stringify({ errors: [toGraphqlError(error)] });
}

/** Undefined when the client takes neither media type. */
function acceptedType(request: IncomingMessage): ResponseType | undefined {
  const { accept } = request.headers;
  if (accept === undefined || accept === "*/*" || accept === JSON_RESPONSE) return JSON_RESPONSE;
  return new Negotiator(request).mediaType([JSON_RESPONSE, GRAPHQL_RESPONSE]) as ResponseType | undefined;
}

/** In characters: a shorter answer fits into the first packets of a server, and compression does not make it faster. */
const MIN_COMPRESSED = 14_000;

interface Answer {
  readonly type: ResponseType;
  readonly status: number;
  readonly text: string;
}

function send({ request, response }: Exchange, { type, status, text }: Answer): void {
  if (text.length > MIN_COMPRESSED) compressAnswer(request, response);
  const headers = status >= 400 ? { "Cache-Control": "no-store" } : {};
  sendText(response, text, { status, type: `${type}; charset=utf-8`, headers });
}
