/** The nodes of a Citus cluster learn from the gateway how accounts log in there. */
import type { Database } from "../database/database.ts";
import { isNotMigrated } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";

export class Nodes {
  readonly #database: Database;
  readonly #log: Log;

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Asks once for each catalogue whether the database is the coordinator of a cluster, and sends its nodes the missing objects. */
  async onCatalogue(): Promise<void> {
    const { db } = this.#database;
    try {
      this.#database.isCluster = (await db.one<{ there: boolean }>("select portolan.has_citus() as there")).there;
    } catch (error) {
      if (!isNotMigrated(error)) throw error;
    }
    if (!this.#database.isCluster) return;
    await this.#tell();
  }

  onAccounts(): void {
    if (this.#database.isCluster) void this.#tell();
  }

  async #tell(): Promise<void> {
    try {
      await this.#database.db.func("portolan.tell_nodes");
    } catch (error) {
      this.#log.warn(
        { err: error, database: this.#database.name },
        "the nodes of Citus could not be told of new accounts",
      );
    }
  }
}
