/** GraphQL over HTTP: what a request says, by GET or POST. */
import type { IncomingMessage } from "node:http";
import { GatewayError, badInput } from "../kernel/errors.ts";
import { parseKeepingIntegers } from "../types/exactJson.ts";
import { readText } from "../kernel/http/requestBody.ts";
import type { GraphqlRequest } from "./execute.ts";

/** Reads the body of a POST. Throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, and `BAD_USER_INPUT` for what is no request. */
export async function readPost(request: IncomingMessage, maxBodyBytes: number): Promise<GraphqlRequest> {
  checkContentType(request.headers["content-type"]);
  return toRequest(parseJson(await readText(request, maxBodyBytes), "The request body is not valid JSON"));
}

/** Reads the query string of a GET. Throws `BAD_USER_INPUT` for what is no request. */
export function readGet(url: string): GraphqlRequest {
  const { searchParams } = new URL(url, "http://localhost");
  const variables = searchParams.get("variables");
  return toRequest({
    query: searchParams.get("query") ?? undefined,
    operationName: searchParams.get("operationName") ?? undefined,
    variables: variables ? parseJson(variables, "variables is not valid JSON") : undefined,
  });
}

function checkContentType(header: string | undefined): void {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  if (type !== "application/json" || (charset !== undefined && charset !== "utf-8" && charset !== "utf8"))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json in UTF-8");
}

function parseJson(text: string, message: string): unknown {
  try {
    return parseKeepingIntegers(text);
  } catch (error) {
    throw new GatewayError("BAD_USER_INPUT", message, { cause: error });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toRequest(json: unknown): GraphqlRequest {
  if (Array.isArray(json)) return badInput("Batches are not supported: send one operation in a request");
  if (!isObject(json)) return badInput("The request must be a JSON object");
  const { query, variables, operationName, extensions } = json;
  if (typeof query !== "string" || query === "") return badInput("query must be a GraphQL document");
  if (variables !== undefined && variables !== null && !isObject(variables))
    return badInput("variables must be an object");
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string")
    return badInput("operationName must be a string");
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    return badInput("extensions must be an object");
  return { query, variables, operationName: operationName || undefined };
}
