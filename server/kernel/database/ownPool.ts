/** The connections of one login that this process has open, each at a place of the host's. */
import type pg from "pg";
import type { IdleSource, OwnConnections } from "./ownConnections.ts";
import type { Leave } from "./shares.ts";
import {
  closeLongestIdle,
  longestIdleMs,
  openPool,
  takeWire,
  type Choose,
  type PoolConfig,
  type Wire,
} from "./wire/wire.ts";

export interface OwnPoolOptions {
  /** The name of the login among all of the host. */
  readonly name: string;
  readonly own: OwnConnections;
  readonly config: PoolConfig;
  /** Called when a connection is closed. */
  readonly onClosed: (client: pg.PoolClient) => void;
}

export class OwnPool implements IdleSource {
  readonly pool: pg.Pool;
  readonly #name: string;
  readonly #own: OwnConnections;
  /** One for each connection that is open or about to be. */
  readonly #places: Leave[] = [];
  /** Connections that are taken or about to be. */
  #used = 0;
  /** Requests that wait for a place. */
  #waiting = 0;

  constructor({ name, own, config, onClosed }: OwnPoolOptions) {
    this.#name = name;
    this.#own = own;
    this.pool = openPool(config);
    this.pool.on("remove", (client) => {
      onClosed(client);
      this.#giveBack();
    });
    own.add(this);
  }

  /** Whether it has no connections and no waiting requests. */
  get isUnused(): boolean {
    return this.#used + this.#waiting + this.pool.totalCount === 0;
  }

  /**
   * Takes an idle connection, which `choose` chooses, or opens one at a place of the host's. Throws as `OwnConnections.take`,
   * and what connecting throws.
   */
  async take(waitMs: number, { choose, signal }: { choose: Choose; signal: AbortSignal | undefined }): Promise<Wire> {
    if (this.#places.length === this.#used) this.#places.push(await this.#place(waitMs, signal));
    this.#used++;
    try {
      const wire = await takeWire(this.pool, choose);
      wire.onRelease(() => this.#leave());
      return wire;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  idleMs(login = this.#name): number | undefined {
    return login === this.#name && this.#places.length > this.#used ? longestIdleMs(this.pool) : undefined;
  }

  async closeIdle(login?: string): Promise<boolean> {
    if (this.idleMs(login) === undefined) return false;
    await closeLongestIdle(this.pool);
    return true;
  }

  async end(): Promise<void> {
    await this.pool.end();
    this.forget();
  }

  /** Gives all places back once the pool is no longer used. */
  forget(): void {
    this.#own.remove(this);
    for (const leave of this.#places.splice(0)) leave();
  }

  async #place(waitMs: number, signal: AbortSignal | undefined): Promise<Leave> {
    this.#waiting++;
    try {
      return await this.#own.take(this.#name, waitMs, signal);
    } finally {
      this.#waiting--;
    }
  }

  #leave(): void {
    this.#used--;
    this.#giveBack();
    if (this.#places.length > this.#used) this.#own.idle();
  }

  #giveBack(): void {
    while (this.#places.length > Math.max(this.#used, this.pool.totalCount)) this.#places.pop()?.();
  }
}
