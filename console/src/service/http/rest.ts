/** The REST interface below `/api/v4`, as the signed-in account. Its paths, parameters, bodies and answers are typed. */
import createClient from "openapi-fetch";
import { service } from "./address.ts";
import { answerTo, ask } from "./ask.ts";
import type { paths } from "./openapi.ts";

/** Each call throws `ServiceError`. A 303 is not followed: the change may have ended the token, and the page reads again. */
export const rest = createClient<paths>({ baseUrl: `${service}/api/v4`, fetch: answerTo, redirect: "manual" });

/** What the service answers to a call of `rest`. */
export async function answer<T>(call: Promise<{ readonly data?: T }>): Promise<T> {
  return (await call).data as T;
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
  const response = await ask(`/api/v4${path}`, {
    method,
    redirect: "manual",
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The path of the resources of a table. */
export function tablePath({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return `/schemas/${encodeURIComponent(schema)}/tables/${encodeURIComponent(table)}`;
}
