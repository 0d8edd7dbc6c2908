/** Keys that let a write be sent again without being written twice: the header Idempotency-Key. */
import { ServiceError } from "./ask.ts";

/** Pages without HTTPS have no `randomUUID`. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a request with the key has been carried out before. */
export function isRepeated(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "REPEATED";
}
