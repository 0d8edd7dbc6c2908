/** OPTIONS of features: the methods that this caller may use, and the bodies that are accepted. */
import type { Method } from "../../server/kernel/http/routes.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import { writeRights } from "./writeRights.ts";

export const POST_TYPES = ["application/geo+json", "application/json"];
export const PATCH_TYPES = ["application/merge-patch+json", "application/geo+json", "application/json"];

const READING = ["GET", "HEAD"];
const OF_ITEMS: readonly Method[] = ["POST"];
const OF_ITEM: readonly Method[] = ["PUT", "PATCH", "DELETE"];

/** Answers OPTIONS. Any other method that comes here is one that the resource does not have. */
export async function options(exchange: CollectionExchange): Promise<void> {
  const { request, response } = exchange;
  const allowed = await allowedMethods(exchange);
  if (request.method !== "OPTIONS")
    throw new GatewayError("METHOD_NOT_ALLOWED", undefined, { headers: { Allow: allowed.join(", ") } });
  setHeaders(response, {
    Allow: allowed.join(", "),
    ...(allowed.includes("POST") && { "Accept-Post": POST_TYPES.join(", ") }),
    ...(allowed.includes("PATCH") && { "Accept-Patch": PATCH_TYPES.join(", ") }),
    "Content-Length": "0",
  });
  response.statusCode = 200;
  response.end();
}

/** The header Allow. `featureId`: of a feature, whether it exists or not. */
export async function allowedMethods(exchange: CollectionExchange): Promise<readonly string[]> {
  const { collection, identity, pathParameters } = exchange;
  const methods = pathParameters["featureId"] === undefined ? OF_ITEMS : OF_ITEM;
  if (!collection.isWritable || identity.name === "anonymous") return [...READING, "OPTIONS"];
  const rights = await writeRights(exchange, collection);
  return [...READING, ...methods.filter((method) => rights.allows(method)), "OPTIONS"];
}
