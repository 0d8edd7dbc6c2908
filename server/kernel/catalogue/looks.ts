/** The known state of a database, and the time since which it is known. */
import type { Database } from "../database/database.ts";

export class Looks {
  readonly #database: Database;
  /** When the latest completed poll of each kind began. */
  readonly #beganMs = { accounts: -Infinity, roles: -Infinity, catalogue: -Infinity };

  constructor(database: Database) {
    this.#database = database;
  }

  /** A check that began then has ended, and its changed values were dropped. */
  saw(what: "accounts" | "roles" | "catalogue", beganMs: number): void {
    this.#beganMs[what] = beganMs;
    this.#database.memory.sawAt(Math.min(...Object.values(this.#beganMs)));
  }

  /** Drops the earlier knowledge and, if rights have changed, also the content of standbys that lag behind. */
  forget({ andRights = true } = {}): void {
    const { memory, standbys } = this.#database;
    memory.forget();
    if (andRights) standbys?.follow();
  }
}
