/** What the processes of one host share: the counts that its limits go by, and its figures. */
import { HostPeers } from "./hostPeers.ts";
import type { Nats } from "./nats.ts";
import { RequestCounts } from "./requestCounts.ts";

export interface Host {
  /** Counts one of `perMinute` requests of `key`. Gives after how many seconds to come again where it is one too many, else 0. */
  count(key: string, perMinute: number): Promise<number>;
  /** Takes one of `most` places of `key`. Gives false where there is none. */
  take(key: string, most: number): Promise<boolean>;
  /** Gives a place back. */
  leave(key: string): void;
  /** What Prometheus reads of all processes together; nothing where one of them does not answer. Undefined: it is alone. */
  readonly metrics?: (() => Promise<string | undefined>) | undefined;
  close(): void;
}

/**
 * Kept in this process: of one that is alone, or of the one that has workers. With `nats` the hosts whose `baseUrl` is the
 * same tell each other their counts, and limits are those of all together.
 */
export class LocalHost implements Host {
  readonly #requests = new RequestCounts();
  readonly #places = new Map<string, { taken: number; most: number }>();
  readonly #peers: HostPeers | undefined;

  constructor(nats?: Nats, baseUrl?: string) {
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

  close(): void {
    this.#peers?.close();
  }

  #nameOf(key: string): string {
    return this.#peers ? HostPeers.nameOf(key) : key;
  }
}
