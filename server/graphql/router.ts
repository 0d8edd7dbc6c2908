/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/). */
import { Router, type Request, type Response } from "express";
import type { Config } from "../config.ts";
import type { Identity } from "../database.ts";
import { GatewayError, isServerFault, toGatewayError, toGraphqlError } from "../errors.ts";
import type { Log } from "../log.ts";
import { executeGraphql, type GraphqlAnswer } from "./execute.ts";
import { findInstance, type FindInstanceOptions } from "./findInstance.ts";
import { readGet, readPost } from "./requestBody.ts";

export interface GraphqlRouterOptions extends FindInstanceOptions {
  readonly config: Pick<Config, "maxBodyBytes">;
  /** Who asks. Throws `UNAUTHENTICATED`. */
  identify(request: Request): Promise<Identity>;
  readonly log: Log;
}

const GRAPHQL_RESPONSE = "application/graphql-response+json";
const JSON_RESPONSE = "application/json";
type ResponseType = typeof GRAPHQL_RESPONSE | typeof JSON_RESPONSE;

/** `POST|GET /api/graphql/schema/:schema`. */
export function graphqlRouter(options: GraphqlRouterOptions): Router {
  const router = Router();
  router.all("/api/graphql/schema/:schema", async (request, response) => {
    let type: ResponseType = JSON_RESPONSE;
    try {
      type = responseType(request);
      const answer = await answerRequest(request, response, options);
      send(response, type, answer.refused && type === GRAPHQL_RESPONSE ? 400 : 200, answer.text);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (isServerFault(error))
        options.log.error(
          { requestId: request.requestId, code: error.code, ...error.members, err: error.cause ?? error },
          "failure",
        );
      response.set(error.headers);
      send(response, type, error.status, JSON.stringify({ errors: [toGraphqlError(error)] }));
    }
  });
  return router;
}

async function answerRequest(
  request: Request<{ schema: string }>,
  response: Response,
  options: GraphqlRouterOptions,
): Promise<GraphqlAnswer> {
  const isGet = request.method === "GET";
  if (!isGet && request.method !== "POST")
    throw new GatewayError("METHOD_NOT_ALLOWED", "GraphQL takes POST, and GET for queries", {
      headers: { Allow: "GET, POST" },
    });
  const identity = await options.identify(request);
  const instance = await findInstance(identity, request.params.schema, options);
  const graphqlRequest = isGet ? readGet(request.url) : await readPost(request, options.config.maxBodyBytes);
  const caller = { identity, address: request.address, requestId: request.requestId, signal: whileConnected(response) };
  return executeGraphql(options.instances, instance, graphqlRequest, caller, { onlyQueries: isGet });
}

/** Throws `NOT_ACCEPTABLE` when the client takes neither media type. */
function responseType(request: Request): ResponseType {
  const { accept } = request.headers;
  if (accept === undefined || accept === "*/*" || accept === JSON_RESPONSE) return JSON_RESPONSE;
  const type = request.accepts([JSON_RESPONSE, GRAPHQL_RESPONSE]);
  if (type === false)
    throw new GatewayError("NOT_ACCEPTABLE", `GraphQL is answered as ${JSON_RESPONSE} or ${GRAPHQL_RESPONSE}`);
  return type as ResponseType;
}

/** A signal that fires when the client goes away before its answer is complete. */
function whileConnected(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(response: Response, type: ResponseType, status: number, text: string): void {
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  if (status >= 400) response.setHeader("Cache-Control", "no-store");
  response.end(text); // a string goes out in one write with the headers
}
