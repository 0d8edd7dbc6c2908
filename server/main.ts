/** The process: configuration, listening socket, databases, doors; and their end. */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { createApp, type App } from "./app.ts";
import type { Config, DatabaseConfig } from "./kernel/config.ts";
import { connectionProblem } from "./kernel/database/database.ts";
import { GatewayError, OperatorError, SQLSTATE, sqlstateOf, toProblem } from "./kernel/errors.ts";
import { announce, startLocalDemo, type LocalDemo, type SignIns } from "./demo/localDemo.ts";
import type { Log } from "./kernel/log.ts";
import { isMigrated, migrate } from "./kernel/migrate.ts";

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
  /** Passwords of the demo's accounts, and whether they were made just now; undefined on a database of the user's. */
  readonly demo: { readonly signIns: SignIns; readonly fresh: boolean } | undefined;
  /** Resolves with the reason when the private cluster ends by itself. Otherwise stays pending. */
  readonly failed: Promise<string>;
  /** Stops accepting, answers what is in flight, closes the databases and stops the private cluster. */
  close(): Promise<void>;
}

/** What an operator can mend; the message says how. */
export class StartError extends OperatorError {
  override readonly name = "StartError";
}

/**
 * Starts the gateway and resolves when it answers. The port is taken first, so that a port in use costs nothing; until
 * all is up, requests get 503. Throws `StartError`, `ClusterError`, `MigrationError`, with nothing left running.
 */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const server = createServer(config);
  const waiting: RequestListener = (_request, response) => {
    const error = new GatewayError("UNAVAILABLE", "The service is starting");
    response.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": "1" });
    response.end(JSON.stringify(toProblem(error)));
  };
  server.on("request", waiting);
  await listen(server, config);
  for (const warning of config.warnings) log.warn(warning);
  let demo: LocalDemo | undefined;
  let app: App | undefined;
  try {
    demo = config.databases.length === 0 ? await startLocalDemo(config) : undefined;
    const databases = demo?.databases ?? config.databases;
    if (!demo) for (const database of databases) await prepareDatabase(database, log);
    const baseUrl = config.baseUrl ?? addressOf(server, config);
    app = await createApp({ config, databases, baseUrl, log });
    server.off("request", waiting);
    server.on("request", app.handler);
    server.on("upgrade", app.sockets.upgrade);
    if (demo) announce(demo.cluster, { pid: process.pid, baseUrl });
    const { schemasOf, brokenSchemas } = app;
    return {
      baseUrl,
      databases: databases.map(({ name }) => ({ name, schemas: schemasOf(name), broken: brokenSchemas(name) })),
      demo: demo && { signIns: demo.signIns, fresh: demo.fresh },
      failed: demo?.cluster.exited ?? new Promise(() => undefined),
      close: () => close(server, app, demo, config.shutdownTimeoutMs),
    };
  } catch (error) {
    await close(server, app, demo, 0);
    throw error;
  }
}

function createServer(config: Config): Server {
  // an offer of another protocol, as of HTTP/2, is declined: the request is answered as any other
  const options = {
    shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
      /^websocket$/i.test(headers.upgrade ?? "") && server.listenerCount("upgrade") > 0,
  };
  const server: Server =
    config.tlsCert !== undefined && config.tlsKey !== undefined
      ? createHttpsServer({ ...options, cert: readFileSync(config.tlsCert), key: readFileSync(config.tlsKey) })
      : createHttpServer(options);
  server.keepAliveTimeout = 65_000; // longer than the usual 60 s of a proxy, which would else write to a closed socket
  return server;
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what listens there, or choose another with PORT`,
        EACCES: `Port ${port} on ${host} may not be listened on by this user: choose another with PORT`,
        EADDRNOTAVAIL: `${host} is no address of this machine: choose another with HOST`,
        ENOTFOUND: `${host} is no address of this machine: choose another with HOST`,
      };
      reject(new StartError(reasons[error.code ?? ""] ?? error.message, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

function addressOf(server: Server, config: Config): string {
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return `${config.tlsCert === undefined ? "http" : "https"}://${host}:${port}`;
}

/** Migrates a database of the user's if its owner role may, else checks that somebody did; warns about its login. */
export async function prepareDatabase(database: DatabaseConfig, log: Log): Promise<void> {
  const login = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000 });
  login.on("error", () => undefined); // the query that is running rejects
  let problem: string | undefined;
  try {
    problem = await connectionProblem(database.url);
    await login.connect();
  } catch (error) {
    throw new StartError(`The database ${database.name} does not answer: ${reasonOf(error)}`, { cause: error });
  }
  if (problem !== undefined) {
    await login.end();
    throw new StartError(`The database ${database.name} cannot be served. ${problem}.`);
  }
  try {
    const user = login.user ?? "";
    const isReady = (await isMigrated((text) => login.query(text))) && !(await isRestored(login));
    if (!isReady) await migrateOrExplain(database, user, log);
    await warnAboutLogin(login, database.name, log);
    await warnAboutRights(login, database.name, log);
  } finally {
    await login.end();
  }
}

async function migrateOrExplain(database: DatabaseConfig, user: string, log: Log): Promise<void> {
  try {
    const { migrations, code } = await migrate({ ownerUrl: database.ownerUrl, gatewayLogin: user });
    log.info({ database: database.name, migrations, code: code.length }, "migrated");
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    if (sqlstateOf(cause) !== SQLSTATE.insufficientPrivilege) throw error;
    throw new StartError(
      [
        `The database ${database.name} must be migrated, and this role may not: ${reasonOf(cause)}.`,
        `Run once, with a role that has CREATEROLE and may create schemas there:`,
        `  OWNER_DATABASE_URL=postgres://owner@… DATABASE_URL=postgres://${user}@… npx portolan migrate`,
        `or give OWNER_DATABASE_URL to the start command.`,
        ...(cause === error ? [] : [`Or: ${reasonOf(error)}`]),
      ].join("\n"),
      { cause: error },
    );
  }
}

/** A restored or copied database lacks roles and grants, which a migration writes again. */
async function isRestored(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>("select portolan.is_restored() as is");
  return rows[0]?.is ?? false;
}

async function warnAboutRights(client: pg.Client, database: string, log: Log): Promise<void> {
  const { rows } = await client.query<{ finding: string; statement: string }>(
    `
select finding, statement from portolan.rights_to_mend()
union all
select finding, remedy from portolan.access_findings() where kind = 'policies'`,
  );
  if (rows.length > 0)
    log.warn(
      { database, findings: rows.map(({ finding }) => finding), statements: rows.map(({ statement }) => statement) },
      "rights are not as they should be: run portolan migrate --repair-roles, or these statements; portolan doctor says more",
    );
}

async function warnAboutLogin(client: pg.Client, database: string, log: Log): Promise<void> {
  const { rows } = await client.query<{ superuser: boolean; owns: boolean }>(`
select
  r.rolsuper as superuser,
  exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = r.oid and c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)') as owns
from pg_roles r
where r.rolname = session_user`);
  const advice = "serve under a login role of its own (DATABASE_URL) and migrate with OWNER_DATABASE_URL";
  if (rows[0]?.superuser) log.warn({ database }, `the login role is a superuser: ${advice}`);
  else if (rows[0]?.owns) log.warn({ database }, `the login role owns what it serves: ${advice}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Requests in flight get `graceMs` to end; then their connections are cut. */
async function close(
  server: Server,
  app: App | undefined,
  demo: LocalDemo | undefined,
  graceMs: number,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await app?.sockets.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
  await app?.close();
  await demo?.cluster.stop();
}
