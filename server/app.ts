/** The composition root: opens the databases and hangs the doors. Read this first. */
import type { RequestListener } from "node:http";
import type { Registry } from "prom-client";
import { installOgc } from "../ogc/install.ts";
import { readRasterHeader } from "../ogc/maps/rasterFile.ts";
import { drawingFindings } from "../ogc/maps/styleCheck.ts";
import { installEvents } from "./events/install.ts";
import { installGraphql } from "./graphql/install.ts";
import { graphqlPaths } from "./graphql/openapi.ts";
import { schemaFindings } from "./graphql/schemaFindings.ts";
import type { Door } from "./kernel/door.ts";
import { createListener } from "./kernel/http/http.ts";
import { RouteTable } from "./kernel/http/routes.ts";
import { createKernel, type KernelOptions } from "./kernel/kernel.ts";
import { installJobs } from "./kernel/jobs.ts";
import { installOperation } from "./kernel/operation.ts";
import { installManagement } from "./management/router.ts";
import { installMethods } from "./methods/install.ts";
import { methodPaths, methodSchemas } from "./methods/openapi.ts";
import { installOauth } from "./oauth/router.ts";
import { installPages } from "./pages/router.ts";
import { installSockets } from "./socket/install.ts";
import type { Sockets } from "./socket/sockets.ts";

/** Whatever is served over HTTP, in the order of the documentation. */
export const DOORS = ["graphql", "oauth", "methods", "management", "ogc", "pages", "operation"] as const;

export type DoorName = (typeof DOORS)[number];

export interface App {
  /** Answers whatever is asked, at all doors. */
  readonly handler: RequestListener;
  readonly doors: Readonly<Record<DoorName, Door>>;
  /** The same for some of the doors. */
  listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable };
  /** What goes on over WebSockets; they are closed before requests have ended. */
  readonly sockets: Pick<Sockets, "upgrade" | "close">;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** The schemas of a database whose GraphQL cannot be built, with the reason. */
  brokenSchemas(database: string): ReadonlyMap<string, string>;
  readonly registry: Registry;
  /** How many databases of a pattern there are, awake or asleep. */
  sleepers(): number;
  /** Stops the workers and closes the pools. Requests must have ended. */
  close(): Promise<void>;
}

/** Opens the databases, which must answer and be migrated, and hangs the doors. */
export async function createApp(options: KernelOptions): Promise<App> {
  const kernel = createKernel(options);
  const { config, log, limiter, metrics, schemasOf } = kernel;
  const events = installEvents(kernel);
  const methods = installMethods(kernel, events);
  const graphql = installGraphql(kernel, events);
  const oauth = installOauth(kernel);
  const ogc = installOgc(kernel);
  const management = installManagement(kernel, {
    checkRaster: async (file) => void (await readRasterHeader(config.rasterDirectory, file)),
    findings: async (database) => [
      ...schemaFindings(graphql.brokenSchemas(database.name)),
      ...(await drawingFindings(database, config, log)),
    ],
    tableNames: graphql.tableNames,
    openapi: [{ resources: methods.resources, paths: methodPaths, schemas: methodSchemas }, { paths: graphqlPaths }],
  });
  const pages = installPages(kernel);
  const operation = installOperation(kernel, [events, graphql, ogc]);
  const sockets = installSockets(kernel, {
    eventsOf: events.eventsOf,
    run: graphql.run,
    call: methods.call,
    refuseCall: methods.refuseCall,
    sql: methods.sql,
  });
  const doors = { graphql, oauth, methods, management, ogc, pages, operation } satisfies Record<DoorName, Door>;
  // events come first when something has changed, and are closed last: the others live by them
  const all: readonly Door[] = [events, ...Object.values(doors), installJobs(kernel), sockets];

  async function close(): Promise<void> {
    await sockets.close();
    await kernel.stopWatching();
    for (const door of all.toReversed()) await door.close?.();
    await kernel.close();
  }

  try {
    await kernel.watch(all);
    for (const door of all) await door.start?.();
  } catch (error) {
    await close();
    throw error;
  }

  function listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable } {
    const table = new RouteTable(names.flatMap((name) => doors[name].routes));
    return { table, listener: createListener({ table, config, log, measure: metrics.measure, limiter }) };
  }
  const { brokenSchemas } = graphql;
  const sleepers = (): number => kernel.directory.names.filter((name) => kernel.directory.isSleeper({ name })).length;
  const handler = listenerFor(DOORS).listener;
  return {
    handler,
    doors,
    listenerFor,
    sockets,
    schemasOf,
    brokenSchemas,
    registry: metrics.registry,
    sleepers,
    close,
  };
}
