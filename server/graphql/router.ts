/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Router } from "express";
import type { Config } from "../kernel/config.ts";
import type { Identity } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError, toGraphqlError } from "../kernel/errors.ts";
import { setHeaders, whileConnected, type HotRoute } from "../kernel/http/http.ts";
import { logFailure, type Log } from "../kernel/log.ts";
import { executeGraphql, type GraphqlAnswer } from "./execute.ts";
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

export interface GraphqlDoor {
  /** `POST|GET /api/graphql/schema/:schema`. */
  readonly router: Router;
  /** Takes the usual requests before Express: a POST that accepts JSON. */
  readonly hotRoute: HotRoute;
}

const PATH = /^\/api\/graphql\/schema\/([\w~.-]+)(?:\?|$)/;

export function createGraphqlDoor(options: GraphqlDoorOptions): GraphqlDoor {
  const router = Router();
  router.all("/api/graphql/schema/:schema", (request, response) =>
    answer(request, response, request.params.schema, options, () =>
      responseType(request.accepts([JSON_RESPONSE, GRAPHQL_RESPONSE])),
    ),
  );
  const hotRoute: HotRoute = ({ method, url = "", headers: { accept } }) => {
    if (method !== "POST" || !(accept === undefined || accept === "*/*" || accept === JSON_RESPONSE)) return undefined;
    const schema = PATH.exec(url)?.[1];
    if (schema === undefined) return undefined;
    return (request, response) => answer(request, response, schema, options, () => JSON_RESPONSE);
  };
  return { router, hotRoute };
}

/** Answers one request. `chooseType` may throw `NOT_ACCEPTABLE`. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  schema: string,
  options: GraphqlDoorOptions,
  chooseType: () => ResponseType,
): Promise<void> {
  let type: ResponseType = JSON_RESPONSE;
  try {
    type = chooseType();
    const { refused, text } = await answerRequest(request, response, schema, options);
    send(response, type, refused && type === GRAPHQL_RESPONSE ? 400 : 200, text);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    logFailure(options.log, error, request.requestId);
    setHeaders(response, error.headers);
    send(response, type, error.status, JSON.stringify({ errors: [toGraphqlError(error)] }));
  }
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  schema: string,
  options: GraphqlDoorOptions,
): Promise<GraphqlAnswer> {
  const isGet = request.method === "GET";
  if (!isGet && request.method !== "POST")
    throw new GatewayError("METHOD_NOT_ALLOWED", "GraphQL takes POST, and GET for queries", {
      headers: { Allow: "GET, POST" },
    });
  const identity = await options.identify(request);
  const instance = await findInstance(identity, schema, options);
  const graphqlRequest = isGet ? readGet(request.url ?? "") : await readPost(request, options.config.maxBodyBytes);
  const caller = { identity, address: request.address, requestId: request.requestId, signal: whileConnected(response) };
  return executeGraphql(options.instances, instance, graphqlRequest, caller, { onlyQueries: isGet });
}

/** Throws `NOT_ACCEPTABLE` when the client takes neither media type. */
function responseType(accepted: string | false): ResponseType {
  if (accepted === false)
    throw new GatewayError("NOT_ACCEPTABLE", `GraphQL is answered as ${JSON_RESPONSE} or ${GRAPHQL_RESPONSE}`);
  return accepted as ResponseType;
}

function send(response: ServerResponse, type: ResponseType, status: number, text: string): void {
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  if (status >= 400) response.setHeader("Cache-Control", "no-store");
  response.end(text); // a string goes out in one write with the headers
}
