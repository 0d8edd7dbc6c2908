/** GraphQL over HTTP: reads a request, by GET or POST. */
import type { IncomingMessage } from "node:http";
import { GatewayError, badInput } from "../../ground/errors.ts";
import { parseKeepingIntegers } from "../../types/exactJson.ts";
import { checkContentType, readText } from "../../kernel/http/body.ts";
import type { GraphqlRequest } from "../execute.ts";
import type { NamedDocuments } from "./namedDocuments.ts";

/** Most operations in one body. */
export const MAX_BATCH = 10;

/** A reader for each member of a batch, so that a faulty member fails alone. */
export type Batch = readonly (() => GraphqlRequest)[];

/**
 * Reads the body of a POST: a request, or a list of them. Throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, `LIMIT_EXCEEDED` for
 * a list that is too long, the errors of `NamedDocuments`, and `BAD_USER_INPUT` for a body that is no request.
 */
export async function readPost(
  request: IncomingMessage,
  maxBodyBytes: number,
  named: NamedDocuments,
): Promise<GraphqlRequest | Batch> {
  checkContentType(request);
  const json = parseJson(await readText(request, maxBodyBytes), "The request body is not valid JSON");
  if (!Array.isArray(json)) return toRequest(json, named);
  if (json.length === 0) return badInput("A batch must have an operation");
  if (json.length > MAX_BATCH)
    throw new GatewayError("LIMIT_EXCEEDED", `A batch may have ${MAX_BATCH} operations; this one has ${json.length}`);
  return json.map((member) => () => toRequest(member, named));
}

/** Reads the query string of a GET. Throws as `readPost` does. */
export function readGet(url: string, named: NamedDocuments): GraphqlRequest {
  const { searchParams } = new URL(url, "http://localhost");
  const variables = searchParams.get("variables");
  const extensions = searchParams.get("extensions");
  const texts = ["query", "operationName", "documentId", "id", "doc_id"].map((name) => [name, searchParams.get(name)]);
  const json = {
    ...(Object.fromEntries(texts.filter(([, text]) => text !== null)) as object),
    variables: variables ? parseJson(variables, "variables is not valid JSON") : undefined,
    extensions: extensions ? parseJson(extensions, "extensions is not valid JSON") : undefined,
  };
  return toRequest(json, named);
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

function toRequest(json: unknown, named: NamedDocuments): GraphqlRequest {
  if (!isObject(json)) return badInput("The request must be a JSON object");
  const { variables, operationName, extensions } = json;
  const document = named.find(json);
  if (variables !== undefined && variables !== null && !isObject(variables))
    return badInput("variables must be an object");
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string")
    return badInput("operationName must be a string");
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    return badInput("extensions must be an object");
  return { ...document, variables, operationName: operationName || undefined };
}
