/**
 * Ids that count once in all processes of the service: the `jti` of proofs and assertions. PostgreSQL keeps a hash of each
 * until it would be refused as too old.
 */
import type { Database } from "../database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { hashOf } from "./hash.ts";

/** Of one process: no flood of proofs fills the memory or the table. */
const MAX_LIVE = 100_000;

const stores = new WeakMap<Database, OnceStore>();

/** Whether an id has not been used before. It is remembered for `seconds`. Throws `RATE_LIMITED` when too many are. */
export function isFirstUse(database: Database, id: string, seconds: number): Promise<boolean> {
  let store = stores.get(database);
  if (!store) stores.set(database, (store = new OnceStore(database)));
  return store.use(hashOf(id), Math.ceil(seconds));
}

interface Waiting {
  readonly hash: string;
  readonly seconds: number;
  readonly resolve: (isFirst: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Those that come at the same time are asked about in one statement. */
class OnceStore {
  readonly #database: Database;
  /** Hash → when it may be forgotten, by `performance.now()`. */
  readonly #seen = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  async use(hash: string, seconds: number): Promise<boolean> {
    const now = performance.now();
    if ((this.#seen.get(hash) ?? 0) > now) return false;
    if (this.#seen.size >= MAX_LIVE) this.#forget(now);
    this.#seen.set(hash, now + seconds * 1000);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hash, seconds, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#ask());
    });
  }

  #forget(now: number): void {
    for (const [hash, until] of this.#seen) if (until <= now) this.#seen.delete(hash);
    if (this.#seen.size >= MAX_LIVE) throw new GatewayError("RATE_LIMITED", "Too many proofs; try again later");
  }

  async #ask(): Promise<void> {
    const asked = this.#waiting;
    this.#waiting = [];
    try {
      const rows = await this.#database.db.any<{ hash: string }>(
        "select portolan.use_ids($1::text[], $2::integer[]) as hash",
        [asked.map(({ hash }) => hash), asked.map(({ seconds }) => seconds)],
      );
      const first = new Set(rows.map(({ hash }) => hash));
      for (const { hash, resolve } of asked) resolve(first.has(hash));
    } catch (error) {
      for (const { hash, reject } of asked) {
        this.#seen.delete(hash);
        reject(error);
      }
    }
  }
}
