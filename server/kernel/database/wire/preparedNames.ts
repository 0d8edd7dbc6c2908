/** The statements that a connection keeps prepared. Each costs memory in PostgreSQL. */
import { LRUCache } from "lru-cache";
import pg from "pg";
import type { Connection } from "./extendedQuery.ts";
import type { PreparedOn } from "./userSqlQuery.ts";

/** Prepared statements of one connection: at most 200, the least recently used is closed first. */
export class PreparedNames {
  readonly #client: pg.PoolClient;
  readonly #known = new LRUCache<string, PreparedOn>({
    max: 200,
    disposeAfter: (_one, name, reason) => void (reason === "evict" && this.forget(name)),
  });

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** Called before a statement of that name is sent. Closes another one where there are too many. */
  remember(name: string): PreparedOn {
    let one = this.#known.get(name);
    if (!one) this.#known.set(name, (one = {}));
    return one;
  }

  /** How many statements PostgreSQL has. */
  get count(): number {
    return Object.keys(this.#parsed).length;
  }

  /** Whether PostgreSQL has the statement. */
  has(name: string): boolean {
    return this.#parsed[name] !== undefined;
  }

  /** node-postgres has no call to forget a statement; it looks here whether a name must be parsed. */
  get #parsed(): Record<string, string> {
    return (this.#client as unknown as { connection: Connection }).connection.parsedStatements;
  }

  /** Lets a statement go, e.g. because DDL has changed the types of its result. Never rejects. */
  async forget(name: string): Promise<void> {
    this.#known.delete(name);
    const text = this.#parsed[name];
    if (text === undefined) return;
    delete this.#parsed[name];
    try {
      await this.#client.query(`deallocate ${pg.escapeIdentifier(name)}`);
    } catch {
      this.#parsed[name] = text; // the transaction had failed: PostgreSQL still has it
    }
  }
}
