/** The tables that subscribers name, and whether they may have their events. */
import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError, badInput } from "../ground/errors.ts";
import type { Judge } from "./judge.ts";
import { findTable, type Table } from "./table.ts";

export interface OpenTablesOptions {
  readonly database: Database;
  readonly judge: Judge;
  /** The schemas that are exposed now. */
  readonly schemas: () => readonly string[];
}

export interface Opened {
  readonly table: Table;
  /** Numbers of the columns that may be selected. */
  readonly columns: ReadonlySet<number>;
  /** The moment of that check. */
  readonly snapshot: string;
}

export class OpenTables {
  readonly #options: OpenTablesOptions;
  /** Tables by schema and name. */
  readonly #tables = new Map<string, Promise<Table | undefined>>();

  constructor(options: OpenTablesOptions) {
    this.#options = options;
  }

  /**
   * The table, if the account may have its events. Throws `NOT_FOUND` for a table that does not exist or is not exposed,
   * `FORBIDDEN` without a right to select, `BAD_USER_INPUT` for a table without events.
   */
  async open(identity: Identity, schema: string, relation: string): Promise<Opened> {
    const { judge, schemas } = this.#options;
    const name = `${schema}.${relation}`;
    const missing = (): never => {
      throw new GatewayError("NOT_FOUND", `There is no table ${name}`);
    };
    if (!schemas().includes(schema)) return missing();
    const found = this.#table(schema, relation);
    const table = await found;
    if (!table) return missing();
    const isNamed = (): boolean => table.info.schema === schema && table.info.name === relation;
    let rights = await judge.rights(identity.role, table.info.oid);
    if (!isNamed() || !table.info.active || rights.version !== table.info.version) {
      await table.reload(); // it may have been switched on, renamed or altered just now
      rights = await judge.rights(identity.role, table.info.oid);
      if (table.isGone || !isNamed()) {
        this.#forget(schema, relation, found);
        return this.open(identity, schema, relation); // another table may have the name by now
      }
    }
    const { info } = table;
    if (!rights.columns?.length) throw new GatewayError("FORBIDDEN", `The account may not select from ${name}`);
    if (info.kind !== "r" && info.kind !== "p") return badInput(`${name} is no table: only tables have events`);
    if (info.partitionOf) return badInput(`${name} is a partition: its events are those of ${info.partitionOf}`);
    if (!info.active)
      return badInput(
        `Events of ${name} are off. A super user switches them on with select portolan.enable_events('${name}'), ` +
          `with the comment @events on, or with PATCH /api/v4/schemas/${schema}/tables/${relation}/events`,
      );
    return { table, columns: new Set(rights.columns), snapshot: rights.snapshot };
  }

  #table(schema: string, name: string): Promise<Table | undefined> {
    const key = JSON.stringify([schema, name]);
    let table = this.#tables.get(key);
    if (!table) {
      const found = findTable(this.#options.database, schema, name);
      const forget = (): void => this.#forget(schema, name, found);
      found.then((one) => one ?? forget(), forget); // a missing table may be created later
      this.#tables.set(key, (table = found));
    }
    return table;
  }

  /** Unless another call has found another table of that name meanwhile. */
  #forget(schema: string, name: string, table: Promise<Table | undefined>): void {
    const key = JSON.stringify([schema, name]);
    if (this.#tables.get(key) === table) this.#tables.delete(key);
  }
}
