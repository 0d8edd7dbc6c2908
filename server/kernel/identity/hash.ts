import { createHash } from "node:crypto";

/** How a code, session or link is kept: it is random, so that nothing slower than SHA-256 is needed. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
