/** The REST interface below `/api/v4`, as the signed-in account. Its paths, parameters, bodies and answers are typed. */
import createClient from "openapi-fetch";
import { service } from "./address.ts";
import { ask } from "./ask.ts";
import type { paths } from "./openapi.ts";
import { answerOnce, isRepeated } from "./requestKey.ts";

/** Each call throws `ServiceError`. A 303 is not followed: the change may have ended the token, and the page reads again. */
export const rest = createClient<paths>({ baseUrl: `${service}/api/v4`, fetch: written, redirect: "manual" });

/** Why there is no answer to a write that was carried out before. */
const reasons = new WeakMap<Response, unknown>();

/** The answer to a write, or an empty one where it was carried out before. */
async function written(request: Request): Promise<Response> {
  try {
    return await answerOnce(request);
  } catch (error) {
    if (!isRepeated(error)) throw error;
    const response = new Response(null, { status: 204 });
    reasons.set(response, error);
    return response;
  }
}

/** What the service answers to a call of `rest`. Throws REPEATED where that was lost. */
export async function answer<T>(call: Promise<{ readonly data?: T; readonly response: Response }>): Promise<T> {
  const { data, response } = await call;
  if (reasons.has(response)) throw reasons.get(response);
  return data as T;
}

/** Reads a path that is only known at run time. Throws `ServiceError`. */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await ask(`/api/v4${path}`, signal ? { signal } : {});
  return (await response.json()) as T;
}

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Sends a request to a path that is only known at run time. Returns the answer; undefined where it has no body or is a 303,
 * which is not followed. Throws `ServiceError`.
 */
export async function send<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const request = new Request(`${service}/api/v4${path}`, {
    method,
    redirect: "manual",
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const response = await written(request);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The path of the resources of a table. */
export function tablePath({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return `/schemas/${encodeURIComponent(schema)}/tables/${encodeURIComponent(table)}`;
}
