/** Keys that let a write be sent again without being written twice: the header Idempotency-Key. */
import { service } from "./address.ts";
import { answerTo, ServiceError, unreachable } from "./ask.ts";

const HEADER = "Idempotency-Key";

/** Pages without HTTPS have no `randomUUID`. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a request with the key has been carried out before. */
export function isRepeated(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "REPEATED";
}

/** The keys of writes whose answer was lost, by their method, address and body. */
const lost = new Map<string, string>();
const listeners = new Set<() => void>();

/** Calls the listener where a write turns out to have been carried out before. */
export function whenRepeated(listener: () => void): void {
  listeners.add(listener);
}

/**
 * Sends a write. If the answer is lost and the same is sent again, the service carries it out once. Throws
 * `ServiceError`, with REPEATED where that is done already.
 */
export async function answerOnce(request: Request): Promise<Response> {
  const isFile = request.body !== null && request.headers.get("Content-Type")?.startsWith("application/json") !== true;
  if (request.method === "GET" || isFile || request.headers.has(HEADER)) return answerTo(request);
  const text = `${request.method} ${request.url} ${await request.clone().text()}`;
  return once(text, async (key) => {
    request.headers.set(HEADER, key);
    const response = await answerTo(request);
    if (response.type === "opaqueredirect") return response;
    const body = await response.blob().catch(() => Promise.reject(unreachable())); // the answer may break off
    return new Response(body.size === 0 ? null : body, response);
  });
}

/** `path`: below the service. Throws as `answerOnce`. */
export function askOnce(path: string, init: RequestInit): Promise<Response> {
  return answerOnce(new Request(`${service}${path}`, init));
}

/** Runs a write with a key, which is the same as long as the answer to `text` is lost. */
export async function once<T>(text: string, write: (key: string) => Promise<T>): Promise<T> {
  const key = lost.get(text) ?? newRequestKey();
  lost.set(text, key);
  try {
    const answer = await write(key);
    lost.delete(text);
    return answer;
  } catch (error) {
    if (!isLost(error)) lost.delete(text);
    if (isRepeated(error)) for (const listener of listeners) listener();
    throw error;
  }
}

/** Whether the write may have been carried out all the same. */
function isLost(error: unknown): boolean {
  return error instanceof ServiceError && ["UNREACHABLE", "UNAVAILABLE", "INTERNAL"].includes(error.code);
}
