/** The REST interface below `/api/v4`, as the signed-in account. */
import { ask } from "./ask.ts";

/** Reads a path. Throws `ServiceError`. */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await ask(`/api/v4${path}`, signal ? { signal } : {});
  return (await response.json()) as T;
}

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Sends a request. Returns the answer; undefined where it has no body or is a 303, which is not followed. Throws
 * `ServiceError`.
 */
export async function send<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await ask(`/api/v4${path}`, {
    method,
    redirect: "manual", // the change may have ended the token, and the page reads the result itself
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
