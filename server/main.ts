/** The process: configuration, listening socket, databases, doors; and their end. */
import type { RequestListener, Server } from "node:http";
import type { Registry } from "prom-client";
import { createApp, type App } from "./app.ts";
import type { Config, DatabaseConfig } from "./kernel/config.ts";
import { GatewayError, toProblem } from "./ground/errors.ts";
import { announce, servesDemo, startLocalDemo, withDemo, type LocalDemo, type SignIns } from "./demo/localDemo.ts";
import { collectWhenQuiet } from "./fleet/collectWhenQuiet.ts";
import type { Host } from "./fleet/host.ts";
import type { KernelOptions } from "./kernel.ts";
import type { Log } from "./ground/log.ts";
import { warnAtStart } from "./operate/startWarnings.ts";
import { addressOf, createServer, listen, stopListening } from "./listen.ts";
import { prepareDatabase, preparePatterns, prepareSleeper } from "./prepareDatabase.ts";

/** For one of several processes on a port: the results of another process, and the state that they share. */
export interface SharedStart {
  /** Databases that `prepareDatabase` has prepared. */
  readonly databases: readonly DatabaseConfig[];
  /** Where others serve already: this one listens when it can answer. Undefined at the start. */
  readonly baseUrl?: string | undefined;
  readonly host: Host & { measures?(registry: Registry): void };
}

/** A gateway that listens. */
export interface Gateway {
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  readonly databases: readonly {
    readonly name: string;
    readonly schemas: readonly string[];
    /** The schemas whose GraphQL cannot be built, with the reason. */
    readonly broken: ReadonlyMap<string, string>;
  }[];
  /** How many databases of a pattern there are. */
  readonly sleepers: number;
  /** Passwords of the demo's accounts, and whether they were made just now; undefined on a database of the user's. */
  readonly demo: { readonly signIns: SignIns; readonly fresh: boolean } | undefined;
  /** Resolves with the reason when the private cluster ends by itself. Otherwise stays pending. */
  readonly failed: Promise<string>;
  /** Stops accepting, answers the running requests, closes the databases and stops the private cluster. */
  close(): Promise<void>;
}

/**
 * Starts the gateway and resolves when it answers. The port is taken first, so that a port in use costs nothing; until
 * all is up, requests get 503. Throws `StartError`, `ClusterError`, `MigrationError`, with nothing left running.
 */
export async function startGateway(given: Config, log: Log, shared?: SharedStart): Promise<Gateway> {
  const config = withDemo(given);
  const server = createServer(config, log);
  const waiting: RequestListener = (_request, response) => {
    const error = new GatewayError("UNAVAILABLE", "The service is starting");
    response.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": "1" });
    response.end(JSON.stringify(toProblem(error)));
  };
  const isLate = shared?.baseUrl !== undefined;
  if (!isLate) {
    server.on("request", waiting);
    await listen(server, config);
  }
  if (!shared) warnAtStart(config, log);
  let demo: LocalDemo | undefined;
  let app: App | undefined;
  try {
    const { patterns } = config;
    demo = servesDemo(config) && !shared ? await startLocalDemo(config) : undefined;
    const databases = shared?.databases ?? demo?.databases ?? config.databases;
    if (!demo && !shared) for (const database of databases) await prepareDatabase(database, log);
    if (!shared) await preparePatterns(patterns, log);
    const baseUrl = shared?.baseUrl ?? config.baseUrl ?? addressOf(server, config);
    const prepare: KernelOptions["prepare"] = (database, one) => prepareSleeper(database, one, log);
    app = await createApp({
      config,
      databases,
      patterns,
      prepare,
      baseUrl,
      log,
      host: shared?.host,
    });
    shared?.host.measures?.(app.registry);
    server.off("request", waiting);
    server.on("request", app.handler);
    server.on("upgrade", app.sockets.upgrade);
    if (isLate) await listen(server, config);
    const stopCollecting = collectWhenQuiet(app.quietMs);
    if (demo) announce(demo.cluster, { pid: process.pid, baseUrl });
    const { schemasOf, brokenSchemas } = app;
    return {
      baseUrl,
      databases: databases.map(({ name }) => ({ name, schemas: schemasOf(name), broken: brokenSchemas(name) })),
      sleepers: app.sleepers(),
      demo: demo && { signIns: demo.signIns, fresh: demo.fresh },
      failed: demo?.cluster.exited ?? new Promise(() => undefined),
      close: () => {
        stopCollecting();
        return close(server, app, demo, config.shutdownTimeoutMs);
      },
    };
  } catch (error) {
    await close(server, app, demo, 0);
    throw error;
  }
}

/** Requests in flight get `graceMs` to end; then their connections are cut. */
async function close(
  server: Server,
  app: App | undefined,
  demo: LocalDemo | undefined,
  graceMs: number,
): Promise<void> {
  const stopped = stopListening(server, graceMs);
  await Promise.all([app?.sockets.close(), app?.endStreams()]);
  await stopped;
  await app?.close();
  await demo?.cluster.stop();
}
