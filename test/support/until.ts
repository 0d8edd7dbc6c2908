import { setTimeout } from "node:timers/promises";

/** A wait is for something that must come; the benchmarks measure how soon. A busy machine may take ten times as long. */
const GENEROUS_MS = 60_000;

/** Waits until the condition holds; if it does not, throws with the text of `tell`. `withinMs`: only where soon is promised. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = GENEROUS_MS,
  tell: () => string = () => "",
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`it has not come to be within ${withinMs} ms ${tell()}`);
    await setTimeout(5);
  }
}
