/** The composition root: opens the databases and hangs the doors. Read this first. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Registry } from "prom-client";
import { installOgc } from "../ogc/install.ts";
import { readRasterHeader } from "../ogc/maps/rasterFile.ts";
import { collectionFindings } from "../ogc/maps/styleCheck.ts";
import { readStyleFor } from "../ogc/styles/in/forRelation.ts";
import { installEvents } from "./events/install.ts";
import { installGraphql } from "./graphql/install.ts";
import { graphqlPaths } from "./graphql/http/openapi.ts";
import { schemaFindings } from "./graphql/build/schemaFindings.ts";
import type { Config } from "./kernel/config.ts";
import type { Door } from "./kernel/door.ts";
import { createListener, type ServiceOptions } from "./kernel/http/http.ts";
import { RouteTable, type Route } from "./kernel/http/routes.ts";
import { createKernel, type Kernel, type KernelOptions } from "./kernel.ts";
import type { Finding } from "./ground/finding.ts";
import type { Log } from "./ground/log.ts";
import type { Database } from "./kernel/database/database.ts";
import { mailFindings } from "./kernel/mail/mailer.ts";
import { installJobs } from "./operate/jobs.ts";
import { natsFindings } from "./fleet/nats.ts";
import { installOperation } from "./operate/operation.ts";
import { certificateFindings } from "./operate/certificate.ts";
import { rasterDirectoryFindings } from "./operate/rasterDirectory.ts";
import { installRequestLog } from "./operate/requestLog.ts";
import { VERSION } from "./ground/packageDirectory.ts";
import type { Tracing } from "./kernel/tracing/trace.ts";
import type { OtherDoors } from "./mcp/agent.ts";
import { mcpPaths } from "./mcp/openapi.ts";
import { installManagement } from "./management/router.ts";
import { configuredMethods } from "./methods/definition.ts";
import { installMethods } from "./methods/install.ts";
import { methodFindings } from "./methods/methodFindings.ts";
import { methodPaths, methodSchemas } from "./methods/openapi.ts";
import { installOauth, oauthOpenapi } from "./oauth/router.ts";
import { providerFindings } from "./oauth/providers/findings.ts";
import { groupFindings } from "./oauth/signUp.ts";
import { publicPaths } from "./pages/openapi.ts";
import { installPages } from "./pages/router.ts";
import { installSockets } from "./socket/install.ts";
import type { Sockets } from "./socket/sockets.ts";

/** Everything that is served over HTTP, in the order of the documentation. */
export const DOORS = ["graphql", "oauth", "methods", "management", "ogc", "mcp", "pages", "operation"] as const;

export type DoorName = (typeof DOORS)[number];

export interface App {
  /** Answers requests at all doors. */
  readonly handler: RequestListener;
  readonly doors: Readonly<Record<DoorName, Door>>;
  /** The same for some of the doors. */
  listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable };
  /** The work over WebSockets; they are closed before requests have ended. */
  readonly sockets: Pick<Sockets, "upgrade" | "close">;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** The schemas of a database whose GraphQL cannot be built, with the reason. */
  brokenSchemas(database: string): ReadonlyMap<string, string>;
  readonly registry: Registry;
  /** How many databases of a pattern there are, awake or asleep. */
  sleepers(): number;
  /** For how many ms nobody has asked anything but for its health; 0 while somebody waits for an answer. */
  quietMs(): number;
  /** Ends answers that would not end by themselves. */
  endStreams(): Promise<void>;
  /** Stops the workers and closes the pools. Requests must have ended. */
  close(): Promise<void>;
}

/** Loads OpenTelemetry only where it is asked for. */
async function startTracing(config: Config, log: Log): Promise<Tracing | undefined> {
  if (config.otlpEndpoint === undefined) return undefined;
  const { openTracing } = await import("./kernel/tracing/openTelemetry.ts");
  return openTracing(config, VERSION, log);
}

/** Opens the databases, which must answer and be migrated, and hangs the doors. Where it throws, nothing is left open. */
export async function createApp(options: KernelOptions): Promise<App> {
  const tracing = await startTracing(options.config, options.log);
  const kernel = createKernel({ ...options, tracing });
  const installed: Door[] = [];
  try {
    return await hangDoors(kernel, tracing, installed);
  } catch (error) {
    await closeAll(kernel, tracing, installed);
    throw error;
  }
}

async function closeAll(kernel: Kernel, tracing: Tracing | undefined, doors: readonly Door[]): Promise<void> {
  await kernel.stopWatching();
  for (const door of doors.toReversed()) await door.close?.();
  await kernel.close();
  await tracing?.close();
}

async function endStreams(doors: readonly Door[]): Promise<void> {
  for (const door of doors) await door.endStreams?.();
}

/** The routes and answers of the doors that a listener serves. */
function ofAll(doors: readonly Door[]): Pick<ServiceOptions, "table" | "forPeople" | "exposedHeaders"> {
  return {
    table: new RouteTable(doors.flatMap(({ routes }) => routes)),
    forPeople: doors.flatMap(({ forPeople = [] }) => forPeople),
    exposedHeaders: doors.flatMap(({ exposedHeaders = [] }) => exposedHeaders),
  };
}

/** For how many ms nobody has asked; 0 while somebody waits for an answer. */
function quietMsOf({ besides }: Kernel["metrics"]): number {
  const { waiting, quietMs } = besides("");
  return waiting > 0 ? 0 : quietMs;
}

/** Runs functions in spans of these names, where anything is traced. */
function tracedBy(tracing: Tracing | undefined) {
  return <A extends readonly unknown[], R>(name: string, run: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      tracing ? tracing.run(name, () => run(...args)) : run(...args);
}

/** Loads the agents' door only where it is on. */
async function openAgentsDoor(kernel: Kernel, doors: OtherDoors): Promise<Door> {
  if (!kernel.config.mcp) return { routes: [] };
  const { installMcp } = await import("./mcp/install.ts");
  return installMcp(kernel, doors);
}

/** For `/doctor`: what the configuration and the definitions in a database lack. */
async function findingsOf({ config, log }: Kernel, database: Database): Promise<Finding[]> {
  const asked = await Promise.all([
    collectionFindings(database, config, log),
    methodFindings(database),
    groupFindings(database, config),
    natsFindings(config),
    mailFindings(config),
    providerFindings(config),
  ]);
  return [...asked.flat(), ...certificateFindings(config), ...rasterDirectoryFindings(config)];
}

/** `installed` receives each door that has been made, so that a failing start can close those it made. */
async function hangDoors(kernel: Kernel, tracing: Tracing | undefined, installed: Door[]): Promise<App> {
  const { config, log, limiter, metrics, requestLog, schemasOf } = kernel;
  const install = <D extends Door>(door: D): D => {
    installed.push(door);
    return door;
  };
  // events hear of changes first and are closed last: the other doors depend on them
  const events = install(installEvents(kernel, (database): number => sockets.count(database)));
  const graphql = install(installGraphql(kernel, events));
  const methods = install(installMethods(kernel, { ...events, rowSource: graphql.rowSource }));
  const oauth = install(installOauth(kernel));
  const ogc = install(installOgc(kernel));
  const management = install(
    installManagement(kernel, {
      checkRaster: async (file) => void (await readRasterHeader(config.rasterDirectory, file)),
      readStyle: (database, style) => readStyleFor(database, config, { ...style, log }),
      configuredMethods,
      findings: async (database) => [
        ...schemaFindings(graphql.brokenSchemas(database.name)),
        ...(await findingsOf(kernel, database)),
      ],
      tableNames: graphql.tableNames,
      openapi: () => [
        oauthOpenapi(kernel.baseUrl),
        { resources: methods.resources, paths: methodPaths, schemas: methodSchemas },
        { paths: graphqlPaths },
        { paths: { ...mcpPaths, ...publicPaths } },
      ],
    }),
  );
  const mcp = install(await openAgentsDoor(kernel, { graphql, methods, ogc, eventsOf: events.eventsOf }));
  const pages = install(installPages(kernel, { runPanel: methods.panel, readableIds: ogc.readableIds }));
  const operation = install(installOperation(kernel, [events, graphql, ogc]));
  const traced = tracedBy(tracing);
  const sockets = install(
    installSockets(kernel, {
      eventsOf: events.eventsOf,
      run: traced("WebSocket operation", graphql.run),
      call: traced("WebSocket call", methods.call),
      refuseCall: methods.refuseCall,
      sql: traced("WebSocket sql", methods.sql),
    }),
  );
  const doors = { graphql, oauth, methods, management, ogc, mcp, pages, operation } satisfies Record<DoorName, Door>;
  install(installJobs(kernel));
  install(installRequestLog(requestLog, installed));

  async function close(): Promise<void> {
    await sockets.close();
    await closeAll(kernel, tracing, installed);
  }

  await kernel.watch(installed);
  for (const door of installed) await door.start?.();

  const doorsOfRoutes = new Map<Route, DoorName>(
    DOORS.flatMap((name) => doors[name].routes.map((route) => [route, name] as const)),
  );
  const doorOf = ({ answeredBy }: IncomingMessage): string => (answeredBy && doorsOfRoutes.get(answeredBy)) ?? "other";
  function listenerFor(names: readonly DoorName[]): { listener: RequestListener; table: RouteTable } {
    const measure: ServiceOptions["measure"] = (request, response) => {
      const ends = [metrics.measure(request, response, doorOf), requestLog.measure(request, response)];
      response.on("close", () => ends.forEach((end) => end()));
    };
    const all = ofAll(names.map((name) => doors[name]));
    return { table: all.table, listener: createListener({ ...all, config, log, measure, limiter, tracing }) };
  }
  return {
    handler: listenerFor(DOORS).listener,
    doors,
    listenerFor,
    sockets,
    schemasOf,
    brokenSchemas: graphql.brokenSchemas,
    registry: metrics.registry,
    sleepers: () => kernel.directory.names.filter((name) => kernel.directory.isSleeper({ name })).length,
    quietMs: () => quietMsOf(metrics),
    endStreams: () => endStreams(installed),
    close,
  };
}
