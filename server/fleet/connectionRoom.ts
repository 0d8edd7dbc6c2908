/** Room for the connections of databases that wake, within PostgreSQL's limit. */
import { setTimeout } from "node:timers/promises";

const SECOND = 1000;
/** How long a database waits for connections while none becomes free. */
const ROOM_MS = 5 * SECOND;
/** How long it waits at most, while others become free and are taken. */
const MOST_ROOM_MS = 30 * SECOND;
const ROOM_LOOK_MS = 50;

export interface ConnectionRoomOptions {
  /** How many connections PostgreSQL has left. */
  free(): Promise<number>;
  /** Lets idle databases fall asleep which have this many connections together. Resolves to how many did. */
  makeRoom(connections: number): Promise<number>;
  /** How long to wait while none becomes free. Default 5 s. */
  readonly waitMs?: number;
}

export class ConnectionRoom {
  readonly #options: ConnectionRoomOptions;
  /** Connections that are planned for, made or not. */
  #promised = 0;
  /** How often planned connections have become real ones, which PostgreSQL counts. */
  #promisesKept = 0;
  /** The end of the line. Only its first one looks for connections, so that a later one with fewer never takes them. */
  #line: Promise<void> = Promise.resolve();
  /** When there was room for somebody, or a database fell asleep. */
  #progressMs = 0;

  constructor(options: ConnectionRoomOptions) {
    this.#options = options;
  }

  /** Runs what needs this many connections when PostgreSQL has them, or after it has waited long enough. */
  async with<T>(connections: number, work: () => Promise<T>): Promise<T> {
    await this.#promise(connections);
    try {
      return await work();
    } finally {
      this.#promised -= connections;
      this.#promisesKept++;
    }
  }

  /** Never rejects: whether there are connections shows in a moment. */
  async #promise(connections: number): Promise<void> {
    const startMs = performance.now();
    const turn = this.#line.then(() => this.#find(connections, startMs)).catch(() => undefined);
    this.#line = turn.then(() => void (this.#promised += connections));
    await this.#line;
  }

  /** Where PostgreSQL lacks connections, lets idle databases fall asleep sooner, and waits for some that may. */
  async #find(connections: number, startMs: number): Promise<void> {
    for (let isFirst = true; isFirst || this.#mayWait(startMs); isFirst = false) {
      const kept = this.#promisesKept;
      const free = await this.#options.free();
      if (kept !== this.#promisesKept) continue; // connections that were promised then may be among those that are not free
      const missing = this.#promised + connections - free;
      const slept = missing > 0 ? await this.#options.makeRoom(missing) : 0;
      if (missing <= 0 || slept > 0) this.#progressMs = performance.now();
      if (missing <= 0) return;
      if (slept === 0) await setTimeout(ROOM_LOOK_MS);
    }
  }

  #mayWait(startMs: number): boolean {
    const nowMs = performance.now();
    const { waitMs = ROOM_MS } = this.#options;
    return nowMs - startMs < MOST_ROOM_MS && nowMs - Math.max(startMs, this.#progressMs) < waitMs;
  }
}
