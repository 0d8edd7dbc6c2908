/** Frees the memory that only the start of the process needed. It is more than the memory that the service uses. */
import { collectGarbage } from "./collectGarbage.ts";

/** How long nobody asks before the heap is collected: meanwhile requests would wait. */
const QUIET_MS = 1000;

/** Collects the heap once, as soon as nobody has asked for a second. The result ends waiting for that. */
export function collectWhenQuiet(quietMs: () => number): () => void {
  const looking = setInterval(() => {
    if (quietMs() < QUIET_MS) return;
    clearInterval(looking);
    void collectGarbage();
  }, QUIET_MS).unref();
  return () => clearInterval(looking);
}
