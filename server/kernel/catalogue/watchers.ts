/** The watchers of all databases that are awake, and what they report to the doors. */
import type { Config, DatabaseConfig } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Door } from "../door.ts";
import type { Identifier } from "../identity/identity.ts";
import type { Log } from "../../ground/log.ts";
import { VERSION } from "../../ground/packageDirectory.ts";
import { followDdl, type Relation } from "./access.ts";
import { Nodes } from "./nodes.ts";
import { Watcher } from "./watcher.ts";

/** Called when a database wakes and when it falls asleep; never for a named one. */
export interface Sleep {
  /** Rejects where the database cannot be served. */
  wake(database: Database, config: DatabaseConfig): Promise<void>;
  /**
   * Prepares the slow parts for a database that will be served instead of `like`. Returns a function that releases
   * them.
   */
  rehearse(database: Database, like: Database): Promise<() => Promise<void>>;
  /** A request comes after an idle time: catches up on skipped checks. */
  resume(database: Database): Promise<void>;
  /** Ends all work there. */
  rest(database: Database): Promise<void>;
  /** Whether work other than requests keeps it awake. */
  isInUse(database: Database): boolean;
}

export interface WatchersOptions {
  readonly config: Config;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  readonly log: Log;
  readonly identifier: Identifier;
  readonly directory: { isIdle(database: Database): boolean };
  /** Makes sure that a database can be served, when it wakes. */
  readonly prepare: ((database: Database, config: DatabaseConfig) => Promise<void>) | undefined;
}

export class Watchers {
  readonly #options: WatchersOptions;
  readonly #watchers = new Map<string, Watcher>();

  constructor(options: WatchersOptions) {
    this.#options = options;
  }

  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[] {
    return this.#watchers.get(database)?.schemas ?? [];
  }

  /** For each of them a text that changes with DDL in it, as of the last look. */
  fingerprintsOf(database: string): ReadonlyMap<string, string> | undefined {
    return this.#watchers.get(database)?.fingerprints;
  }

  /** Looks at the catalogue now: see `Watcher.lookNow`. */
  async lookNow(database: Database, isOther?: boolean): Promise<void> {
    await this.#watchers.get(database.name)?.lookNow(isOther);
  }

  /** Looks at the catalogue for a relation: see `Watcher.lookFor`. */
  async lookFor(database: Database, relation: Relation): Promise<void> {
    await this.#watchers.get(database.name)?.lookFor(relation);
  }

  /** Watches a database. The first poll must succeed; later ones tell the doors of changes. `wakes`: a request waits. */
  async watch(database: Database, doors: readonly Door[], { wakes = false } = {}): Promise<void> {
    const watcher = this.#watcherOf(database, doors, wakes);
    this.#watchers.set(database.name, watcher);
    await watcher.start(wakes ? 1 : undefined);
  }

  /** The steps when a database wakes and falls asleep. */
  sleepOf(doors: readonly Door[]): Sleep {
    const { prepare, identifier } = this.#options;
    return {
      wake: async (database, one) => {
        await prepare?.(database, one);
        await this.watch(database, doors, { wakes: true });
        for (const door of doors) door.wake?.(database);
      },
      rehearse: async (database, like) => {
        const made = await Promise.all(doors.map(async (door) => door.rehearse?.(database, like)));
        return async () => {
          for (const letGo of made) await letGo?.();
        };
      },
      rest: async (database) => {
        await this.#watchers.get(database.name)?.stop();
        this.#watchers.delete(database.name);
        identifier.invalidate(database.name);
        for (const door of doors.toReversed()) await door.rest?.(database);
      },
      resume: async ({ name }) => this.#watchers.get(name)?.resume(),
      isInUse: (database) => doors.some((door) => door.isInUse?.(database) ?? false),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map((watcher) => watcher.stop()));
  }

  #watcherOf(database: Database, doors: readonly Door[], wakes: boolean): Watcher {
    const { config, baseUrl, log, identifier, directory } = this.#options;
    const nodes = new Nodes(database, log);
    return new Watcher({
      database,
      isIdle: () => directory.isIdle(database),
      schemas: config.schemas,
      mfa: config.mfa,
      trusted: { owners: config.trustedOwners, functions: config.trustedFunctions },
      intervalMs: config.catalogueIntervalMs,
      silenceMs: 3 * config.connectTimeoutMs,
      log,
      settledAs: wakes ? JSON.stringify([VERSION, baseUrl, config.events]) : undefined,
      prepare: async (schemas) => {
        let isDone = await followDdl(database, log);
        await nodes.onCatalogue();
        for (const door of doors) isDone = ((await door.prepare?.(database, schemas)) ?? true) && isDone;
        return isDone;
      },
      onCatalogue: async () => {
        await Promise.all(doors.map(async (door) => door.onCatalogue?.(database)));
      },
      onAccounts: () => {
        identifier.invalidate(database.name);
        nodes.onAccounts();
        for (const door of doors) door.onAccounts?.(database);
      },
      onSilence: () => {
        database.cut();
        for (const door of doors) door.onSilence?.(database);
      },
      subjects: new Set(doors.flatMap((door) => Object.keys(door.subjects ?? {}))),
      onSubject: async (subject) => {
        await Promise.all(doors.map(async (door) => door.subjects?.[subject]?.(database)));
      },
    });
  }
}
