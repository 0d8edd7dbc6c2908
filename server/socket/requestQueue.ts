/** Requests of one socket: begun in the order of arrival, a limited number at a time; the client waits for the rest. */
import type { Connection } from "./connection.ts";

const AT_ONCE = 16;

export class RequestQueue {
  readonly #connection: Pick<Connection, "pause" | "resume">;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #held = false;
  #paused = false;

  constructor(connection: Pick<Connection, "pause" | "resume">) {
    this.#connection = connection;
  }

  /** `task` never rejects. */
  add(task: () => Promise<void>): void {
    this.#waiting.push(task);
    this.#next();
  }

  /** Nothing more is begun until `release`. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#next();
  }

  #next(): void {
    while (!this.#held && this.#running < AT_ONCE) {
      const task = this.#waiting.shift();
      if (!task) break;
      this.#running++;
      void task().finally(() => {
        this.#running--;
        this.#next();
      });
    }
    const full = this.#waiting.length > 0;
    if (full === this.#paused) return;
    this.#paused = full;
    if (full) this.#connection.pause();
    else this.#connection.resume();
  }
}
