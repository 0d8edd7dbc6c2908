import { setTimeout } from "node:timers/promises";

/** A wait is for something that must come; the benchmarks measure how soon. A busy machine may take ten times as long. */
const GENEROUS_MS = 60_000;

/**
 * Each look has its cost, of a connection often. What comes soon is seen at once; a long wait looks less and less often, and
 * notices by a fiftieth of the time later.
 */
export function pauseMs(waitedMs: number, shortestMs = 5): number {
  return Math.min(100, Math.max(shortestMs, waitedMs / 50));
}

/** Waits until the condition holds; if it does not, throws with the text of `tell`. `withinMs`: only where soon is promised. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = GENEROUS_MS,
  tell: () => string = () => "",
): Promise<void> {
  const begunAt = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - begunAt;
    if (waitedMs > withinMs) throw new Error(`it has not come to be within ${withinMs} ms ${tell()}`);
    await setTimeout(pauseMs(waitedMs));
  }
}
