/** What every door is given: the configuration, the databases, who asks, and word of what has changed. */
import type { IncomingMessage } from "node:http";
import { followDdl } from "./catalogue/access.ts";
import { Watcher } from "./catalogue/watcher.ts";
import type { Config, DatabaseConfig } from "./config.ts";
import { openDatabase, type Database, type Identity } from "./database/database.ts";
import type { Door } from "./door.ts";
import { GatewayError } from "./errors.ts";
import { createRateLimiter, type RateLimiter } from "./http/rateLimit.ts";
import { Identifier } from "./identity/identity.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export interface KernelOptions {
  readonly config: Config;
  readonly databases: readonly DatabaseConfig[];
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Log;
}

export interface Kernel extends Omit<KernelOptions, "databases"> {
  readonly databases: ReadonlyMap<string, Database>;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter;
  readonly identifier: Identifier;
  /** Who asks; the request counts for the account. Throws `UNAUTHENTICATED`, `RATE_LIMITED`. */
  identify(request: IncomingMessage): Promise<Identity>;
  /** Who asks this database, `anonymous` without a token; its requests count for the address alone. Throws the same. */
  identifyIn(request: IncomingMessage, database: Database): Promise<Identity>;
  /** Counts so many operations beside the request itself. Throws `RATE_LIMITED`. */
  countMore(request: IncomingMessage, identity: Identity, operations: number): Promise<void>;
  /** Throws `UNAUTHENTICATED` when the identity's database is served no more. */
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** Looks at the catalogue now: see `Watcher.lookNow`. */
  lookNow(database: Database, isOther?: boolean): Promise<void>;
  /** Looks at every database, which must succeed, and then tells the doors what changes. */
  watch(doors: readonly Door[]): Promise<void>;
  stopWatching(): Promise<void>;
  /** Closes the pools. */
  close(): Promise<void>;
}

/** Opens the databases; nothing is connected until it is needed. */
export function createKernel({ config, databases: configs, baseUrl, log }: KernelOptions): Kernel {
  const databases = new Map(configs.map((one) => [one.name, openDatabase({ ...config, ...one })]));
  const metrics = createMetrics(databases);
  const limiter = createRateLimiter(config.rateLimit);
  const identifier = new Identifier(databases, baseUrl, config.issuers);
  const watchers = new Map<string, Watcher>();
  const countAccount = ({ name, database }: Identity): Promise<void> => limiter.count(`account ${name}@${database}`);

  const watcherOf = (database: Database, doors: readonly Door[]): Watcher =>
    new Watcher({
      database,
      schemas: config.schemas,
      intervalMs: config.catalogueIntervalMs,
      log,
      prepare: async (schemas) => {
        await followDdl(database, log);
        for (const door of doors) await door.prepare?.(database, schemas);
      },
      onCatalogue: async () => {
        await Promise.all(doors.map(async (door) => door.onCatalogue?.(database)));
      },
      onAccounts: () => {
        identifier.invalidate(database.name);
        for (const door of doors) door.onAccounts?.(database);
      },
      onJobs: () => {
        for (const door of doors) door.onJobs?.(database);
      },
      onMaps: async () => {
        await Promise.all(doors.map(async (door) => door.onMaps?.(database)));
      },
    });

  return {
    config,
    baseUrl,
    log,
    databases,
    metrics,
    limiter,
    identifier,
    async identify(request) {
      const identity = await identifier.identify(request);
      await countAccount(identity);
      return identity;
    },
    async identifyIn(request, database) {
      const identity = await identifier.identifyIn(request, database);
      if (identity.name !== "anonymous") await countAccount(identity);
      return identity;
    },
    async countMore(request, identity, operations) {
      for (let more = 0; more < operations; more++) {
        await limiter.count(`address ${request.address}`);
        await countAccount(identity);
      }
    },
    databaseOf(identity) {
      const database = databases.get(identity.database);
      if (!database) throw new GatewayError("UNAUTHENTICATED");
      return database;
    },
    schemasOf: (database) => watchers.get(database)?.schemas ?? [],
    lookNow: (database, isOther) => watchers.get(database.name)?.lookNow(isOther) ?? Promise.resolve(),
    async watch(doors) {
      for (const database of databases.values()) watchers.set(database.name, watcherOf(database, doors));
      await Promise.all([...watchers.values()].map((watcher) => watcher.start()));
    },
    async stopWatching() {
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()));
    },
    async close() {
      await Promise.all([...databases.values()].map((database) => database.close()));
      limiter.close();
    },
  };
}
