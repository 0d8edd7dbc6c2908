import { setTimeout } from "node:timers/promises";

/** A wait is for what must come; how soon it does is for the benchmarks to say. */
const GENEROUS_MS = 20_000;

/** Waits until it is so; throws with what `tell` says when it does not come to be. */
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
