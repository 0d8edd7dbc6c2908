/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/). */
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import type { Config } from "../kernel/config.ts";
import type { Identity } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError, toGraphqlError } from "../kernel/errors.ts";
import { sendText, setHeaders, whileConnected } from "../kernel/http/answer.ts";
import type { ErrorRenderer, Route } from "../kernel/http/routes.ts";
import { logFailure, type Log } from "../kernel/log.ts";
import { executeGraphql, type GraphqlRequest } from "./execute.ts";
import { findInstance, type FindInstanceOptions } from "./findInstance.ts";
import { readGet, readPost } from "./requestBody.ts";

export interface GraphqlDoorOptions extends FindInstanceOptions {
  readonly config: Pick<Config, "maxBodyBytes">;
  /** Who asks. Throws `UNAUTHENTICATED`. */
  identify(request: IncomingMessage): Promise<Identity>;
  readonly log: Log;
}

const GRAPHQL_RESPONSE = "application/graphql-response+json";
const JSON_RESPONSE = "application/json";
type ResponseType = typeof GRAPHQL_RESPONSE | typeof JSON_RESPONSE;

/** `POST /api/graphql/schema/{schema}`, and GET for queries. */
export function graphqlRoutes(options: GraphqlDoorOptions): readonly Route[] {
  const renderError: ErrorRenderer = (thrown, request, response) => {
    const error = toGatewayError(thrown);
    logFailure(options.log, error, request.requestId);
    setHeaders(response, error.headers);
    const type = error.code === "NOT_ACCEPTABLE" ? JSON_RESPONSE : responseType(request);
    send(response, type, error.status, JSON.stringify({ errors: [toGraphqlError(error)] }));
  };
  return [
    {
      path: "/api/graphql/schema/{schema}",
      summary: "GraphQL of a schema",
      head: false,
      maxBodyBytes: options.config.maxBodyBytes,
      handlers: {
        GET: (request, response, { schema = "" }) =>
          answer(request, response, schema, options, () => Promise.resolve(readGet(request.url ?? ""))),
        POST: (request, response, { schema = "" }) =>
          answer(request, response, schema, options, () => readPost(request, options.config.maxBodyBytes)),
      },
      renderError,
    },
  ];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  schema: string,
  options: GraphqlDoorOptions,
  read: () => Promise<GraphqlRequest>,
): Promise<void> {
  const type = responseType(request);
  const identity = await options.identify(request);
  const instance = await findInstance(identity, schema, options);
  const graphqlRequest = await read();
  const caller = { identity, address: request.address, requestId: request.requestId, signal: whileConnected(response) };
  const onlyQueries = request.method === "GET";
  const { refused, text } = await executeGraphql(options.instances, instance, graphqlRequest, caller, { onlyQueries });
  send(response, type, refused && type === GRAPHQL_RESPONSE ? 400 : 200, text);
}

/** Throws `NOT_ACCEPTABLE` when the client takes neither media type. */
function responseType(request: IncomingMessage): ResponseType {
  const { accept } = request.headers;
  if (accept === undefined || accept === "*/*" || accept === JSON_RESPONSE) return JSON_RESPONSE;
  const accepted = new Negotiator(request).mediaType([JSON_RESPONSE, GRAPHQL_RESPONSE]);
  if (accepted === undefined)
    throw new GatewayError("NOT_ACCEPTABLE", `GraphQL is answered as ${JSON_RESPONSE} or ${GRAPHQL_RESPONSE}`);
  return accepted as ResponseType;
}

function send(response: ServerResponse, type: ResponseType, status: number, text: string): void {
  const headers = status >= 400 ? { "Cache-Control": "no-store" } : {};
  sendText(response, text, { status, type: `${type}; charset=utf-8`, headers });
}
