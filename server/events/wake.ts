/** How the reader of events waits: for a time, or until it is woken. */
import { setTimeout } from "node:timers/promises";

export class Wake {
  #wake: () => void = () => undefined;
  #stopped = false;

  /** Nobody waits any more. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves at the next wake-up, also at one that comes before anybody waits. */
  untilWoken(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  async pause(ms: number): Promise<void> {
    if (!this.#stopped) await setTimeout(ms);
  }

  async sleep(ms: number, woken = this.untilWoken()): Promise<void> {
    if (this.#stopped) return;
    const timer = new AbortController();
    await Promise.race([woken, setTimeout(ms, undefined, timer).catch(() => undefined)]); // aborted below
    timer.abort();
  }
}
