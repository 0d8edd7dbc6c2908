/** Watches the databases in the cluster of a pattern, and their needs. */
import type { DatabaseConfig } from "../kernel/config.ts";
import { connectTo, type Connection } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { databaseOf, FLEET_CHANNEL, MAINTENANCE_DATABASE } from "./discovery.ts";

export class Lookout {
  readonly #pattern: DatabaseConfig;
  readonly #log: Log;
  #connection: Connection | undefined;
  #looking: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  /** Checks that repeat, and that run at once when the cluster tells of a change. */
  #repeated: (() => Promise<void>)[] = [];
  #reachable = true;

  constructor(pattern: DatabaseConfig, log: Log) {
    this.#pattern = pattern;
    this.#log = log;
  }

  /** Queries a database that always exists. */
  ask<Row>(text: string): Promise<readonly Row[]> {
    this.#connection ??= connectTo(databaseOf(this.#pattern, MAINTENANCE_DATABASE).url, {
      channel: FLEET_CHANNEL,
      run: () => this.#lookNow(),
    });
    return this.#connection.rows<Row>(text);
  }

  /** Runs it again and again, one at a time with what else is repeated. */
  repeat(ms: number, run: () => Promise<void>): void {
    const timer = setInterval(() => {
      if (!this.#looking) this.#look(() => this.#guard(run));
    }, ms);
    this.#timers.push(timer.unref());
    this.#repeated.push(run);
  }

  /** After the look that is under way, because that may have seen the cluster before the change. */
  #lookNow(): void {
    const before = this.#looking;
    this.#look(async () => {
      await before;
      for (const run of this.#repeated) await this.#guard(run);
    });
  }

  #look(run: () => Promise<void>): void {
    const looking = run().finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    this.#looking = looking;
  }

  /** The next question has a new connection. */
  reconnect(): void {
    void this.#connection?.close();
    this.#connection = undefined;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    await this.#connection?.close();
  }

  async #guard(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.#reachable = true;
    } catch (error) {
      if (this.#reachable) this.#log.error({ err: error, databases: this.#pattern.name }, "cannot look for databases");
      this.#reachable = false;
      this.reconnect();
    }
  }
}
