/** The composition root: opens the databases and hangs the doors. Read this first. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Pool } from "pg";
import type { Config, DatabaseConfig } from "./kernel/config.ts";
import { followDdl, forgetRules } from "./kernel/catalogue/access.ts";
import { checkSession, openDatabase, type Database, type Identity } from "./kernel/database/database.ts";
import { GatewayError } from "./kernel/errors.ts";
import { createEventHub } from "./events/hub.ts";
import { createEventMetrics } from "./events/metrics.ts";
import type { EventHub } from "./events/types.ts";
import { createGraphqlOperations } from "./graphql/operations.ts";
import { createGraphqlInstances } from "./graphql/instances.ts";
import { pluginNames } from "./graphql/plugins.ts";
import { graphqlPaths } from "./graphql/openapi.ts";
import { graphqlRoutes } from "./graphql/router.ts";
import { healthRoutes, PartlyDown } from "./kernel/health.ts";
import { createListener } from "./kernel/http/http.ts";
import { sendText } from "./kernel/http/answer.ts";
import { RouteTable, type Route } from "./kernel/http/routes.ts";
import { Identifier } from "./kernel/identity/identity.ts";
import type { Log } from "./kernel/log.ts";
import { createMetrics } from "./kernel/metrics.ts";
import { isMigrated } from "./kernel/migrate.ts";
import { startClearing } from "./oauth/clearing.ts";
import type { Door } from "./oauth/exchange.ts";
import { oauthRoutes } from "./oauth/router.ts";
import { parseMessage } from "./methods/envelope.ts";
import { createMethods } from "./methods/methods.ts";
import { methodPaths, methodSchemas } from "./methods/openapi.ts";
import { methodRoutes } from "./methods/router.ts";
import { readRasterHeader } from "../ogc/maps/rasterFile.ts";
import { managementRoutes } from "./management/router.ts";
import { pageRoutes } from "./pages/router.ts";
import { openMaps } from "../ogc/maps/maps.ts";
import { createOgc } from "../ogc/router.ts";
import { createOpsAccess } from "./kernel/http/opsAccess.ts";
import { createRateLimiter } from "./kernel/http/rateLimit.ts";
import { forgetVersions } from "./kernel/catalogue/versions.ts";
import { createSockets, type Sockets } from "./socket/sockets.ts";
import { createTopicSubscriber, type TopicSubscriber } from "./kernel/catalogue/topics.ts";
import { Watcher } from "./kernel/catalogue/watcher.ts";

export interface AppOptions {
  readonly config: Config;
  readonly databases: readonly DatabaseConfig[];
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Log;
}

/** Whatever is served over HTTP, in the order of the documentation. */
export const DOORS = ["graphql", "oauth", "methods", "management", "ogc", "pages", "operation"] as const;

export type DoorName = (typeof DOORS)[number];

export interface App {
  /** Answers whatever is asked, at all doors. */
  readonly handler: RequestListener;
  readonly doors: Readonly<Record<DoorName, readonly Route[]>>;
  /** The same for some of the doors. */
  listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable };
  /** What goes on over WebSockets; they are closed before requests have ended. */
  readonly sockets: Sockets;
  readonly databases: ReadonlyMap<string, Database>;
  /** Change events, by the database's name. */
  readonly events: ReadonlyMap<string, EventHub>;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** The schemas of a database whose GraphQL cannot be built, with the reason. */
  brokenSchemas(database: string): ReadonlyMap<string, string>;
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
    rootFields: metrics.rootFields,
    onStale: (database) => watchers.get(database.name)?.lookNow() ?? Promise.resolve(),
  });

  const methods = createMethods({ ...config, databaseOf, schemasOf, watchTable, log });
  const maps = openMaps(config, log, metrics.registry);
  const ogc = createOgc({
    config,
    maps,
    rasters: { directory: config.rasterDirectory, log },
    baseUrl,
    databases,
    identify: async (request, database) => {
      const identity = await identifier.identifyIn(request, database);
      if (identity.name !== "anonymous") await limiter.count(`account ${identity.name}@${identity.database}`);
      return identity;
    },
    schemasOf,
    onStale: (database, isOther) => watchers.get(database.name)?.lookNow(isOther) ?? Promise.resolve(),
  });
  const topics = new Map(
    [...databases.values()].map((database) => [database.name, createTopicSubscriber(database, log)]),
  );
  const eventsOf = (database: Database): EventHub => events.get(database.name) as EventHub;
  const sockets = createSockets({
    config,
    log,
    registry: metrics.registry,
    verify: (token) => identifier.verify(token),
    count: (key) => limiter.count(key),
    databaseOf,
    eventsOf,
    run: createGraphqlOperations({
      instances,
      databaseOf,
      schemasOf,
      eventsOf,
      topicsOf: (database) => topics.get(database.name) as TopicSubscriber,
    }),
    call: (context, text) => methods.callText(context, parseMessage(text)),
    refuseCall: (context, text, reason) => methods.refusalText(context, parseMessage(text), reason),
    sql: (context, text) => methods.sqlText(context, parseMessage(text)),
  });

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
    await sockets.close();
    await stopClearing();
    await Promise.all([...watchers.values()].map((watcher) => watcher.stop()));
    await instances.close();
    await maps?.close();
    methods.close();
    await Promise.all([...events.values(), ...topics.values()].map((source) => source.close()));
    await Promise.all([...databases.values(), ...eventDatabases].map((database) => database.close()));
    limiter.close();
  }

  for (const database of databases.values()) {
    const watcher = new Watcher({
      database,
      schemas: config.schemas,
      intervalMs: config.catalogueIntervalMs,
      log,
      prepare: async (schemas) => {
        await followDdl(database, log);
        await events.get(database.name)?.sync(schemas);
      },
      onCatalogue: async () => {
        forgetVersions(database.name);
        events.get(database.name)?.refresh();
        methods.refresh(database);
        await Promise.all([instances.refresh(database), ogc.refresh(database)]);
      },
      onAccounts: () => {
        identifier.invalidate(database.name);
        forgetRules(database.name);
        sockets.recheck(database.name);
        methods.refresh(database); // what was kept may be what somebody may no longer read
      },
      onMaps: () => ogc.refresh(database),
    });
    watchers.set(database.name, watcher);
  }
  try {
    await Promise.all([...watchers.values()].map((watcher) => watcher.start()));
    // plugins of others may break a schema, which is to be said now and not to the first who asks
    if (pluginNames(config.preset).length > 0)
      for (const database of databases.values()) await instances.buildAll(database, schemasOf(database.name));
  } catch (error) {
    await close();
    throw error;
  }

  async function identify(request: IncomingMessage): Promise<Identity> {
    const identity = await identifier.identify(request);
    await limiter.count(`account ${identity.name}@${identity.database}`);
    return identity;
  }

  async function countMore(request: IncomingMessage, { name, database }: Identity, operations: number): Promise<void> {
    for (let more = 0; more < operations; more++) {
      await limiter.count(`address ${request.address}`);
      await limiter.count(`account ${name}@${database}`);
    }
  }

  function databaseOf(identity: Identity): Database {
    const database = databases.get(identity.database);
    if (!database) throw new GatewayError("UNAUTHENTICATED");
    return database;
  }

  function brokenSchemas(name: string): ReadonlyMap<string, string> {
    const database = databases.get(name);
    return database ? instances.failures(database) : new Map();
  }

  const isOperator = createOpsAccess(config);
  const checks = {
    database: async () => {
      await Promise.all([...databases.values()].map(({ db }) => checkSession(db.$pool as unknown as Pool)));
    },
    migrations: async () => {
      for (const { name, pool } of databases.values())
        if (!(await isMigrated((text) => pool.query(text)))) throw new Error(`${name} is not migrated`);
    },
    events: async () => {
      await Promise.all([...events.values()].map((hub) => hub.check()));
    },
    graphql: () => {
      const reasons = [...databases.keys()].flatMap((name) =>
        [...brokenSchemas(name)].map(([schema, reason]) => [`${name}.${schema}`, reason] as const),
      );
      return reasons.length > 0 ? Promise.reject(new PartlyDown(new Map(reasons))) : Promise.resolve();
    },
    ...(maps && { mapserver: () => maps.server.check() }),
  };
  const oauth: Door = {
    baseUrl,
    databases,
    keysOf: (database) => identifier.keysOf(database),
    sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    log,
  };
  const doors: Readonly<Record<DoorName, readonly Route[]>> = {
    operation: [
      ...healthRoutes(checks, (name, reason) => log.warn({ check: name, err: reason }, "not ready"), isOperator),
      {
        path: "/metrics",
        summary: "What Prometheus reads",
        handlers: {
          GET: async (request, response) => {
            if (!isOperator(request))
              throw new GatewayError("FORBIDDEN", "The metrics are for operators: OPS_TOKEN, OPS_ADDRESSES");
            sendText(response, await metrics.registry.metrics(), { type: metrics.registry.contentType });
          },
        },
      },
    ],
    pages: pageRoutes({
      config,
      baseUrl,
      databases: () => configs.map(({ name }) => ({ name, schemas: schemasOf(name) })),
    }),
    graphql: graphqlRoutes({ config, instances, identify, countMore, databaseOf, schemasOf, log }),
    oauth: oauthRoutes(oauth),
    methods: methodRoutes({ methods, baseUrl, identify, databaseOf }),
    management: managementRoutes({
      maxBodyBytes: config.maxBodyBytes,
      baseUrl,
      identify,
      databaseOf,
      schemasOf,
      checkRaster: async (file) => void (await readRasterHeader(config.rasterDirectory, file)),
      openapi: { paths: methodPaths, schemas: methodSchemas, elsewhere: graphqlPaths },
    }),
    ogc: ogc.routes,
  };
  /** The way to some of the doors. */
  function listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable } {
    const table = new RouteTable(names.flatMap((name) => doors[name]));
    return { table, listener: createListener({ table, config, log, measure: metrics.measure, limiter }) };
  }
  const { listener: handler } = listenerFor(DOORS);
  return { handler, doors, listenerFor, sockets, databases, events, schemasOf, brokenSchemas, close };
}
