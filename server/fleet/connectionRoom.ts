/** Room for the connections of databases that wake, within PostgreSQL's limit. */
import { setTimeout } from "node:timers/promises";

const SECOND = 1000;
/** How long a request waits for idle databases to fall asleep where PostgreSQL has no connections left. */
const ROOM_MS = 5 * SECOND;
const ROOM_LOOK_MS = 50;

export interface ConnectionRoomOptions {
  /** How many connections PostgreSQL has left. */
  free(): Promise<number>;
  /** Lets idle databases fall asleep which have this many connections together. Resolves to how many did. */
  makeRoom(connections: number): Promise<number>;
}

export class ConnectionRoom {
  readonly #options: ConnectionRoomOptions;
  /** Connections that are planned for, made or not. */
  #promised = 0;
  /** How often planned connections have become real ones, which PostgreSQL counts. */
  #promisesKept = 0;

  constructor(options: ConnectionRoomOptions) {
    this.#options = options;
  }

  /** Runs what needs this many connections when PostgreSQL has them, or after it has waited long enough. */
  async with<T>(connections: number, work: () => Promise<T>): Promise<T> {
    await this.#promise(connections).catch(() => undefined); // whether there are any shows in a moment
    try {
      return await work();
    } finally {
      this.#promised -= connections;
      this.#promisesKept++;
    }
  }

  /** Where PostgreSQL lacks connections, lets idle databases fall asleep sooner, and waits for some that may. */
  async #promise(connections: number): Promise<void> {
    try {
      for (const until = performance.now() + ROOM_MS; performance.now() < until;) {
        const kept = this.#promisesKept;
        const free = await this.#options.free();
        if (kept !== this.#promisesKept) continue; // connections that were promised then may be among those that are not free
        const missing = this.#promised + connections - free;
        if (missing <= 0) return;
        if ((await this.#options.makeRoom(missing)) === 0) await setTimeout(ROOM_LOOK_MS);
      }
    } finally {
      this.#promised += connections;
    }
  }
}
