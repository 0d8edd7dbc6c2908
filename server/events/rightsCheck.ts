/** Ends subscriptions whose right or table is gone. */
import { setTimeout as delay } from "node:timers/promises";
import { mayBeDenied } from "../kernel/catalogue/access.ts";
import type { Database } from "../kernel/database/database.ts";
import { toGatewayError } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import type { Group } from "./group.ts";
import type { Judge } from "./judge.ts";

/** When a right is revoked, its subscriptions end within a second. */
const INTERVAL_MS = 600;

export interface RightsCheckOptions {
  readonly database: Database;
  readonly log: Log;
  readonly judge: Judge;
  readonly groups: ReadonlySet<Group>;
  /** Fires at the end. */
  readonly signal: AbortSignal;
}

export class RightsCheck {
  readonly #options: RightsCheckOptions;
  #snapshot = "";

  constructor(options: RightsCheckOptions) {
    this.#options = options;
  }

  /** Makes the next check a complete one, though nothing was committed. */
  refresh(): void {
    this.#snapshot = "";
  }

  /** Checks until the end. It sends no query while nothing was committed. Never rejects. */
  async run(): Promise<void> {
    const { database, log, groups, signal } = this.#options;
    let reachable = true;
    while (!signal.aborted) {
      await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined); // closing
      if (signal.aborted || groups.size === 0) continue;
      try {
        const { snapshot } = await database.db.one<{ snapshot: string }>("select portolan.data_snapshot() as snapshot");
        if (snapshot === this.#snapshot) continue;
        await Promise.all([...groups].map((group) => this.#checkGroup(group)));
        await this.#checkTables();
        this.#snapshot = snapshot;
        reachable = true;
      } catch (error) {
        if (reachable && !signal.aborted)
          log.warn({ err: toGatewayError(error), database: database.name }, "rights of subscribers cannot be checked");
        reachable = false;
      }
    }
  }

  async #checkGroup(group: Group): Promise<void> {
    const { database, judge } = this.#options;
    const { table, subscriber } = group;
    const rights = await judge.rights(subscriber.identity.role, table.info.oid);
    if (rights.version !== table.info.version) await table.reload();
    group.checkRights(rights.columns && new Set(rights.columns));
    if (rights.columns?.length && (await mayBeDenied(database, [table.info]))) {
      const visibility = await judge.judge(subscriber, table.info, []);
      if (visibility) group.checkRights(visibility.columns);
    }
  }

  /** Whether events are still on, which no version shows. */
  async #checkTables(): Promise<void> {
    const { database, groups } = this.#options;
    const active = await database.db.map(
      "select relation::oid::bigint as oid from portolan.event_tables where active",
      [],
      ({ oid }: { oid: string }) => Number(oid),
    );
    const off = [...groups].filter(({ table }) => !active.includes(table.info.oid));
    for (const group of off) {
      await group.table.reload();
      group.checkRights(new Set(group.table.info.columns.map(({ number }) => number)));
    }
  }
}
