/** The default of `npm start` when no database is named: a private cluster with the demo. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Config, DatabaseConfig } from "../kernel/config.ts";
import { SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import { localDirectory, runningLocalCluster, startLocalCluster, type LocalCluster } from "./cluster/localCluster.ts";
import { IS_CHECKOUT, PACKAGE_DIRECTORY } from "../ground/packageDirectory.ts";

const DATABASE = "demo";
const LOGIN = "portolan_gateway";

/** Kept beside the cluster, readable by its owner only. */
interface Secrets {
  readonly gateway: string;
  readonly signIns: SignIns;
}

/** Account → password of the demo. */
export type SignIns = Readonly<Record<"captain" | "guest", string>>;

export interface LocalDemo {
  readonly cluster: LocalCluster;
  readonly databases: readonly DatabaseConfig[];
  readonly signIns: SignIns;
  /** Whether this start made the demo. */
  readonly fresh: boolean;
}

/** The file in which the CLI finds the gateway that serves the demo. */
interface Running {
  readonly pid: number;
  readonly baseUrl: string;
}

/** The folder of the private cluster: that of the checkout, or of the working directory for an installed package. */
function localDemoDirectory(config: Config): string {
  return config.dataDirectory ?? localDirectory(IS_CHECKOUT ? PACKAGE_DIRECTORY : process.cwd());
}

/** Whether nothing is configured, so that the demo is served. */
export function servesDemo({ databases, patterns }: Config): boolean {
  return databases.length + patterns.length === 0;
}

/** The configuration with the options that the demo switches on, unless the operator has set them. */
export function withDemo(config: Config): Config {
  return servesDemo(config) ? { ...config, smtpUrl: config.smtpUrl ?? "log:" } : config;
}

/** Starts the cluster, and at the first start makes the database, its accounts and the demo. Throws `ClusterError`. */
export async function startLocalDemo(config: Config): Promise<LocalDemo> {
  // loaded here: the commands that look for a demo make none
  const { hasDemo, loadDemo } = await import("./demo.ts");
  const { migrate } = await import("../operate/migrate.ts");
  const { generatePassword, hashPassword } = await import("../kernel/identity/passwords.ts");
  const cluster = await startLocalCluster({ directory: localDemoDirectory(config) });
  try {
    const secrets = readSecrets(cluster.directory) ?? writeSecrets(cluster.directory, generatePassword);
    const database = databaseOf(cluster, secrets);
    await withClient(cluster.url("postgres"), (client) => createDatabase(client, secrets.gateway));
    await withClient(database.ownerUrl, (client) =>
      client.query("create extension if not exists postgis with schema public"),
    );
    await migrate({ ownerUrl: database.ownerUrl, gatewayLogin: LOGIN, legacyClient: config.legacyClient });
    const fresh = await withClient(database.ownerUrl, async (client) => {
      if (await hasDemo(client)) return false;
      await client.query("revoke create on schema public from public"); // as PostgreSQL 15 and later begin
      const { captain, guest } = secrets.signIns;
      await loadDemo(client, { captain: await hashPassword(captain), guest: await hashPassword(guest) });
      await client.query("analyze");
      return true;
    });
    return { cluster, databases: [database], signIns: secrets.signIns, fresh };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Tells the command line at which address the demo is served. */
export function announce(cluster: LocalCluster, running: Running): void {
  replaceFile(join(cluster.directory, "running.json"), running);
}

/** The database and address of the demo that another process serves, or undefined. */
export function findLocalDemo(config: Config): (DatabaseConfig & { readonly baseUrl: string | undefined }) | undefined {
  const cluster = runningLocalCluster(localDemoDirectory(config));
  const secrets = cluster && readSecrets(cluster.directory);
  if (!cluster || !secrets) return undefined;
  const running = readJson(join(cluster.directory, "running.json")) as Running | undefined;
  return { ...databaseOf(cluster, secrets), baseUrl: running?.baseUrl };
}

function databaseOf(cluster: Pick<LocalCluster, "url">, secrets: Secrets): DatabaseConfig {
  return { name: DATABASE, url: cluster.url(DATABASE, LOGIN, secrets.gateway), ownerUrl: cluster.url(DATABASE) };
}

async function createDatabase(client: pg.Client, password: string): Promise<void> {
  const role = await client.query("select from pg_roles where rolname = $1", [LOGIN]);
  if (role.rowCount === 0) await client.query(`create role ${LOGIN} login noinherit`);
  await client.query(`alter role ${LOGIN} password ${pg.escapeLiteral(password)}`);
  const database = await client.query("select from pg_database where datname = $1", [DATABASE]);
  if (database.rowCount === 0)
    await client.query(`create database ${DATABASE} template template0 encoding 'UTF8'`).catch((error: unknown) => {
      if (sqlstateOf(error) !== SQLSTATE.duplicateDatabase) throw error;
    });
}

async function withClient<T>(url: string, callback: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // the query that is running rejects
  await client.connect();
  try {
    return await callback(client);
  } finally {
    await client.end();
  }
}

function secretsFile(directory: string): string {
  return join(directory, "secrets.json");
}

function readSecrets(directory: string): Secrets | undefined {
  return readJson(secretsFile(directory)) as Secrets | undefined;
}

function writeSecrets(directory: string, generatePassword: () => string): Secrets {
  const secrets: Secrets = {
    gateway: generatePassword(),
    signIns: { captain: generatePassword(), guest: generatePassword() },
  };
  replaceFile(secretsFile(directory), secrets);
  return secrets;
}

function readJson(path: string): unknown {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as unknown) : undefined;
}

/** Replaces a file atomically. Only its owner may read it. */
function replaceFile(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}`;
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(temporary, JSON.stringify(value, null, 2), { mode: 0o600 });
  renameSync(temporary, path);
}
