/** The composition root: opens the databases and hangs the doors. Read this first. */
import { Router, type Express, type Request } from "express";
import type { Config, DatabaseConfig } from "./config.ts";
import { openDatabase, type Database, type Identity } from "./database.ts";
import { GatewayError } from "./errors.ts";
import { createEventHub } from "./events/hub.ts";
import { createEventMetrics } from "./events/metrics.ts";
import type { EventHub } from "./events/types.ts";
import { createGraphqlInstances } from "./graphql/instances.ts";
import { graphqlRouter } from "./graphql/router.ts";
import { healthRouter } from "./health.ts";
import { createExpress, finishExpress } from "./http.ts";
import { Identifier } from "./identity.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { isMigrated } from "./migrate.ts";
import { startClearing } from "./oauth/clearing.ts";
import { oauthRouter } from "./oauth/router.ts";
import { createMethods } from "./methods/methods.ts";
import { methodPaths, methodSchemas } from "./methods/openapi.ts";
import { methodsRouter } from "./methods/router.ts";
import { managementRouter } from "./management/router.ts";
import { pagesRouter } from "./pages/router.ts";
import { createRateLimiter } from "./rateLimit.ts";
import { Watcher } from "./watcher.ts";

export interface AppOptions {
  readonly config: Config;
  readonly databases: readonly DatabaseConfig[];
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Log;
}

export interface App {
  readonly handler: Express;
  readonly databases: ReadonlyMap<string, Database>;
  /** Change events, by the database's name. */
  readonly events: ReadonlyMap<string, EventHub>;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** Stops the workers and closes the pools. Requests must have ended. */
  close(): Promise<void>;
}

/** Opens the databases, which must answer and be migrated, and hangs the doors. */
export async function createApp({ config, databases: configs, baseUrl, log }: AppOptions): Promise<App> {
  const databases = new Map(configs.map(({ name, url }) => [name, openDatabase({ ...config, name, url })]));
  const metrics = createMetrics(databases);
  const limiter = createRateLimiter(config.rateLimit);
  const identifier = new Identifier(databases, baseUrl, config.issuers);
  const watchers = new Map<string, Watcher>();
  const eventDatabases = configs.map(({ name, url }) =>
    openDatabase({ ...config, name, url, poolSize: config.eventPoolSize }),
  );
  const eventMetrics = createEventMetrics(metrics.registry);
  const schemasOf = (database: string): readonly string[] => watchers.get(database)?.schemas ?? [];
  const events = new Map(
    eventDatabases.map((database) => [
      database.name,
      createEventHub({ database, config, log, metrics: eventMetrics, schemas: () => schemasOf(database.name) }),
    ]),
  );
  const instances = createGraphqlInstances({
    config,
    log,
    onStale: (database) => watchers.get(database.name)?.lookNow() ?? Promise.resolve(),
  });

  const methods = createMethods({ ...config, databaseOf, schemasOf, watchTable, log });

  /** Follows a table for the methods' cache: rows that the account may see. */
  async function watchTable(
    identity: Identity,
    { schema, name }: { readonly schema: string; readonly name: string },
    onChange: () => void,
  ): Promise<{ close(): void }> {
    const hub = events.get(identity.database);
    if (!hub) throw new GatewayError("UNAVAILABLE");
    return hub.subscribe({
      identity,
      schema,
      relation: name,
      columns: [],
      deliver: onChange,
      gap: onChange,
      end: onChange,
    });
  }

  const stopClearing = startClearing({ databases, auditRetentionDays: config.auditRetentionDays, log });

  async function close(): Promise<void> {
    await stopClearing();
    await Promise.all([...watchers.values()].map((watcher) => watcher.stop()));
    await instances.close();
    methods.close();
    await Promise.all([...events.values()].map((hub) => hub.close()));
    await Promise.all([...databases.values(), ...eventDatabases].map((database) => database.close()));
    limiter.close();
  }

  for (const database of databases.values()) {
    const watcher = new Watcher({
      database,
      schemas: config.schemas,
      intervalMs: config.catalogueIntervalMs,
      log,
      prepare: (schemas) => events.get(database.name)?.sync(schemas) ?? Promise.resolve(),
      onCatalogue: async () => {
        events.get(database.name)?.refresh();
        methods.refresh(database);
        await instances.refresh(database);
      },
      onAccounts: () => identifier.invalidate(database.name),
    });
    watchers.set(database.name, watcher);
  }
  try {
    await Promise.all([...watchers.values()].map((watcher) => watcher.start()));
  } catch (error) {
    await close();
    throw error;
  }

  async function identify(request: Request): Promise<Identity> {
    const identity = await identifier.identify(request);
    await limiter.count(`account ${identity.name}@${identity.database}`);
    return identity;
  }

  function databaseOf(identity: Identity): Database {
    const database = databases.get(identity.database);
    if (!database) throw new GatewayError("UNAUTHENTICATED");
    return database;
  }

  const app = createExpress(config, log, metrics.middleware, limiter);
  app.use(
    healthRouter(
      {
        database: async () => {
          await Promise.all([...databases.values()].map(({ db }) => db.one("select 1")));
        },
        migrations: async () => {
          for (const { name, pool } of databases.values())
            if (!(await isMigrated((text) => pool.query(text)))) throw new Error(`${name} is not migrated`);
        },
        events: async () => {
          await Promise.all([...events.values()].map((hub) => hub.check()));
        },
      },
      (name, reason) => log.warn({ check: name, err: reason }, "not ready"),
    ),
  );
  app.use(
    Router().get("/metrics", async (_request, response) => {
      response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    }),
  );
  app.use(
    pagesRouter({ config, baseUrl, databases: () => configs.map(({ name }) => ({ name, schemas: schemasOf(name) })) }),
  );
  app.use(graphqlRouter({ config, instances, identify, databaseOf, schemasOf, log }));
  app.use(
    oauthRouter({
      baseUrl,
      databases,
      keysOf: (database) => identifier.keysOf(database),
      sessionLifetimeSeconds: config.sessionLifetimeSeconds,
      log,
    }),
  );
  app.use(methodsRouter({ methods, baseUrl, identify, databaseOf }));
  app.use(
    managementRouter({
      maxBodyBytes: config.maxBodyBytes,
      baseUrl,
      identify,
      databaseOf,
      schemasOf,
      openapi: { paths: methodPaths, schemas: methodSchemas },
    }),
  );
  finishExpress(app, log);
  return { handler: app, databases, events, schemasOf, close };
}
