/**
 * The doors as middleware for your own Express or Connect application: `import { openPortolan, oauthDoor } from
 * "portolan/express"`. Mount a door at the root, because its paths are those of the service. A request that matches no
 * route of the door goes to the application's next handler.
 */
import { createApp, DOORS, type App, type DoorName } from "./app.ts";
import { makeConfig } from "./kernel/config.ts";
import type { Middleware } from "./kernel/http/assets.ts";
import { toMiddleware } from "./kernel/http/http.ts";
import type { KernelOptions } from "./kernel.ts";
import { createLog } from "./ground/log.ts";
import { prepareDatabase, preparePatterns, prepareSleeper, StartError } from "./prepareDatabase.ts";

export type { Middleware } from "./kernel/http/assets.ts";

/** Options by the names of the configuration, `databaseUrl` or `databases` among them. */
export interface PortolanOptions {
  /** Address of the application as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  readonly [option: string]: unknown;
}

export interface Portolan {
  readonly app: App;
  /** For `server.on("upgrade", …)`: the WebSockets. */
  readonly upgrade: (...args: Parameters<App["sockets"]["upgrade"]>) => void;
  /** Closes sockets and databases. Requests must have ended. */
  close(): Promise<void>;
}

/** Opens the databases, and migrates them where their owner role may. Throws `StartError`, `MigrationError`, `ConfigError`. */
export async function openPortolan(options: PortolanOptions): Promise<Portolan> {
  const config = makeConfig(options);
  if (config.databases.length + config.patterns.length === 0 || config.baseUrl === undefined)
    throw new StartError("openPortolan needs databaseUrl, or databases, and baseUrl");
  const log = createLog(config.logLevel);
  for (const database of config.databases) await prepareDatabase(database, log);
  await preparePatterns(config.patterns, log);
  const { databases, patterns, baseUrl } = config;
  const prepare: KernelOptions["prepare"] = (database, one) => prepareSleeper(database, one, log);
  const app = await createApp({ config, databases, patterns, prepare, baseUrl, log });
  return { app, upgrade: app.sockets.upgrade, close: () => app.close() };
}

const doors =
  (...names: readonly DoorName[]) =>
  ({ app }: Portolan): Middleware => {
    const { listener, table } = app.listenerFor(names);
    return toMiddleware(listener, table);
  };

export const graphqlDoor = doors("graphql");
export const oauthDoor = doors("oauth");
export const methodsDoor = doors("methods");
export const managementDoor = doors("management");
export const ogcDoor = doors("ogc");
/** Model Context Protocol; nothing where the option `mcp` is off. */
export const mcpDoor = doors("mcp");
export const pagesDoor = doors("pages");
/** Health and metrics. */
export const operationDoor = doors("operation");
/** Every door, in the order in which the service mounts them. */
export const allDoors = doors(...DOORS);
