/** The state that the processes of one host share: the counts for its limits, and its figures. */
import {
  HostConnections,
  type ConnectionPlaces,
  type HostConnectionsOptions,
  type Opener,
} from "../kernel/database/database.ts";
import type { Counts } from "../kernel/http/rateLimit.ts";
import { HostPeers } from "./hostPeers.ts";
import type { Nats } from "./nats.ts";
import { RequestCounts } from "./requestCounts.ts";

export interface Host extends Counts {
  /** Takes one of `most` places of `key`. Returns false where there is none. */
  take(key: string, most: number): Promise<boolean>;
  /** Gives a place back. */
  leave(key: string): void;
  /** The places of connections that log in as accounts, for a process that opens some. */
  join(opener: Opener): ConnectionPlaces;
  /**
   * The figures of all processes together for Prometheus; nothing where one of them does not answer. Undefined: there is one
   * process.
   */
  readonly metrics?: (() => Promise<string | undefined>) | undefined;
  close(): void;
}

/**
 * Stored in this process: the only one, or the one that has workers. With `nats`, hosts with the same `baseUrl` exchange
 * their counts, so that limits hold for all of them together.
 */
export class LocalHost implements Host {
  readonly #requests = new RequestCounts();
  readonly #places = new Map<string, { taken: number; most: number }>();
  readonly #peers: HostPeers | undefined;
  readonly #connections: HostConnections;

  constructor(nats?: Nats, baseUrl?: string, connections: HostConnectionsOptions = { ownConnections: 30 }) {
    this.#connections = new HostConnections(connections);
    if (nats && baseUrl !== undefined) this.#peers = new HostPeers(nats, baseUrl, this.#requests);
  }

  count(given: string, perMinute: number): Promise<number> {
    const key = this.#nameOf(given);
    const { requests, endsInMs } = this.#requests.count(key);
    if (requests > perMinute) return Promise.resolve(Math.ceil(endsInMs / 1000));
    this.#peers?.hit(key, perMinute);
    return Promise.resolve(0);
  }

  take(given: string, most: number): Promise<boolean> {
    const key = this.#nameOf(given);
    const taken = this.#places.get(key)?.taken ?? 0;
    if (taken + (this.#peers?.taken(key) ?? 0) >= most) return Promise.resolve(false);
    this.#places.set(key, { taken: taken + 1, most });
    this.#peers?.place(key, taken + 1, most);
    return Promise.resolve(true);
  }

  leave(given: string): void {
    const key = this.#nameOf(given);
    const { taken, most } = this.#places.get(key) ?? { taken: 0, most: 1 };
    if (taken > 1) this.#places.set(key, { taken: taken - 1, most });
    else this.#places.delete(key);
    this.#peers?.place(key, Math.max(0, taken - 1), most);
  }

  join(opener: Opener): ConnectionPlaces {
    return this.#connections.join(opener);
  }

  /** A process that opened connections has ended. */
  forget(opener: Opener): void {
    this.#connections.forget(opener);
  }

  close(): void {
    this.#peers?.close();
  }

  #nameOf(key: string): string {
    return this.#peers ? HostPeers.nameOf(key) : key;
  }
}
