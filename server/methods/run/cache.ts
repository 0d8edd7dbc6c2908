/** Results that are kept for a while (`cache_seconds`), until a table that they were read from changes. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { CATALOGUE, type Database, type Identity } from "../../kernel/database/database.ts";
import type { CallContext, Method } from "../method.ts";
import { readStatement } from "../statement/statement.ts";

/** Calls `onChange` when rows of the table that the account may see change, or may have changed unseen. */
export type WatchTable = (
  identity: Identity,
  table: { readonly schema: string; readonly name: string },
  onChange: () => void,
) => Promise<{ close(): void }>;

export interface Kept {
  readonly result: string;
  /** An entity tag (RFC 9110 §8.8.3). */
  readonly etag: string;
}

interface Entry extends Kept {
  /** Stops following the tables. */
  end(): void;
}

const MAX_ENTRIES = 1000;
/** Characters of all keys and results, and of one that is kept. */
const MAX_LENGTH = 100_000_000;
const MAX_ENTRY_LENGTH = MAX_LENGTH / 4;

/**
 * For one database: the 1000 most recently used results, of 100,000,000 characters together. Keys hold the identity
 * itself, which is replaced when the account has changed.
 */
export class ResultCache {
  readonly #database: Database;
  readonly #watch: WatchTable;
  readonly #identities = new WeakMap<Identity, number>();
  #count = 0;
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_LENGTH,
    maxEntrySize: MAX_ENTRY_LENGTH,
    sizeCalculation: ({ result }, key) => key.length + result.length,
    ttlAutopurge: true,
    disposeAfter: ({ end }) => end(),
  });
  /** Goes up whenever everything is dropped. */
  #epoch = 0;
  /** Functions that stop following. */
  readonly #open = new Set<() => void>();

  constructor(database: Database, watch: WatchTable) {
    this.#database = database;
    this.#watch = watch;
  }

  /** `generation`: of the methods. */
  key({ identity, address }: CallContext, { method }: Method, params: unknown, generation: string): string {
    let number = this.#identities.get(identity);
    if (number === undefined) this.#identities.set(identity, (number = ++this.#count));
    return JSON.stringify([number, address, method, params, generation]);
  }

  get(key: string): Kept | undefined {
    return this.#entries.get(key);
  }

  /**
   * Runs `make` and keeps its result, unless it is very long, or a table changed or everything was dropped meanwhile.
   * Tables without events cannot be followed; their results expire only by time.
   */
  async fill(key: string, context: CallContext, method: Method, make: () => Promise<string>): Promise<Kept> {
    const epoch = this.#epoch;
    let changed = false;
    let entry: Entry | undefined;
    const unfollow = await this.#follow(context, method, () => {
      changed = true;
      if (this.#entries.peek(key) === entry) this.#entries.delete(key);
    });
    const result = await make().catch((error: unknown) => {
      unfollow();
      throw error;
    });
    const kept: Kept = { result, etag: `"${createHash("sha256").update(result).digest("base64url")}"` };
    if (changed || epoch !== this.#epoch || key.length + result.length > MAX_ENTRY_LENGTH) unfollow();
    else {
      entry = { ...kept, end: unfollow };
      this.#entries.set(key, entry, { ttl: (method.cacheSeconds ?? 0) * 1000 });
    }
    return kept;
  }

  /** Drops everything, also results that are being made now: DDL may have changed who sees what. */
  clear(): void {
    this.#epoch++;
    this.#entries.clear();
  }

  /** Ends what follows tables. */
  close(): void {
    for (const end of this.#open) end();
  }

  /** Gives a function that ends it. */
  async #follow({ identity }: CallContext, { q }: Method, onChange: () => void): Promise<() => void> {
    const names = readStatement(q).relations;
    const tables = await this.#database.withIdentity(
      identity,
      { service: "rpc", readOnly: true, reach: CATALOGUE },
      async (transaction) => {
        const { rows } = await transaction.query<{ schema: string; name: string }>({
          text: `
select b.schema, b.name
from portolan.base_tables(array(
  select to_regclass((select string_agg(quote_ident(p), '.' order by o) from jsonb_array_elements_text(t.n) with ordinality as parts (p, o)))::oid
  from jsonb_array_elements($1::jsonb) as t (n))) b`,
          values: [JSON.stringify(names)],
        });
        return rows;
      },
    );
    const watches = await Promise.all(
      tables.map((table) => this.#watch(identity, table, onChange).catch(() => undefined)), // its events are off
    );
    const end = (): void => {
      this.#open.delete(end);
      watches.forEach((watch) => watch?.close());
    };
    this.#open.add(end);
    return end;
  }
}
