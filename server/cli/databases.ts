/** The databases of a command, and how it opens them. It loads what only some commands need on demand. */
import type { Config, DatabaseConfig } from "../kernel/config.ts";
import type { Database } from "../kernel/database/database.ts";
import { OperatorError, SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import type { Finding } from "../ground/finding.ts";

const HOUR_MS = 3_600_000;

export interface DatabaseOption {
  readonly database?: string;
}

/** A database, and the address of its service. `guessed`: nothing here says which one. */
export type ServedDatabase = DatabaseConfig & { readonly baseUrl: string; readonly guessed: boolean };

export async function readConfig(): Promise<Config> {
  const { loadConfig } = await import("../kernel/config.ts");
  return loadConfig();
}

/** The databases of the configuration, or the demo that is running. */
export async function configuredDatabases(onAway = tellAway): Promise<readonly ServedDatabase[]> {
  const config = await readConfig();
  const fallback = { baseUrl: baseUrlOf(config), guessed: config.baseUrl === undefined };
  if (config.databases.length + config.patterns.length > 0) {
    const found = await databasesOfPatterns(config.patterns, onAway);
    return [...config.databases, ...found].map((database) => ({ ...database, ...fallback }));
  }
  const { findLocalDemo } = await import("../demo/localDemo.ts");
  const demo = findLocalDemo(config);
  if (!demo)
    throw new OperatorError("the demo is not running: start it with npm start, or name a database with DATABASE_URL");
  const { baseUrl } = demo;
  return [{ ...demo, ...(baseUrl === undefined ? fallback : { baseUrl, guessed: false }) }];
}

/** The databases that gateways serve. Where a name is in several clusters, the first counts. */
async function databasesOfPatterns(
  patterns: readonly DatabaseConfig[],
  onAway: Away,
): Promise<readonly DatabaseConfig[]> {
  const { askCluster, databaseOf, findDatabases } = await import("../fleet/discovery.ts");
  const found = new Map<string, DatabaseConfig | undefined>();
  for (const pattern of patterns) {
    const there = await askCluster(pattern, findDatabases).catch((error: Error) => onAway(pattern, error));
    for (const { name, frozen } of there ?? [])
      if (!found.has(name)) found.set(name, frozen ? undefined : databaseOf(pattern, name));
  }
  return [...found.values()].filter((database) => database !== undefined);
}

/** For an operator: what each pattern serves, with its name, and which names are in several clusters. */
export async function patternFindings({ patterns }: Config): Promise<readonly (readonly [string, Finding])[]> {
  const { askCluster, lookForDatabases, patternFinding } = await import("../fleet/discovery.ts");
  const findings: (readonly [string, Finding])[] = [];
  const owners = new Map<string, string>();
  const leaving = new Map<string, string>();
  const arriving = new Map<string, string>();
  const slots: { readonly slot: string; readonly name: string; readonly pattern: string }[] = [];
  for (const pattern of patterns) {
    const look = await askCluster(pattern, async (query) => {
      findings.push([pattern.name, await patternFinding(query)]);
      const found = await query<{ slot: string; name: string }>(MOVE_SLOTS);
      slots.push(...found.map((one) => ({ ...one, pattern: pattern.name })));
      return lookForDatabases(query);
    }).catch((error: Error) => void findings.push([pattern.name, away(pattern, error)]));
    if (!look) continue;
    for (const { name } of look.databases) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, pattern.name);
      else findings.push([pattern.name, twice(name, owner, pattern.name)]);
    }
    for (const name of look.left) leaving.set(name, pattern.name);
    for (const name of look.arriving) arriving.set(name, pattern.name);
  }
  for (const [name, to] of arriving)
    findings.push([
      to,
      unfinished(name, { from: owners.get(name) ?? leaving.get(name), to, served: owners.has(name) }),
    ]);
  for (const { slot, name, pattern } of slots)
    if (!arriving.has(name)) findings.push([pattern, leftSlot(slot, name, pattern)]);
  return findings;
}

/** What a command does about a cluster that does not answer. */
export type Away = (pattern: DatabaseConfig, error: Error) => undefined;

/** A command about one database continues. */
export const tellAway: Away = (pattern, error) => {
  process.stderr.write(`portolan: ${awayText(pattern, error)}\n`);
};

/** A command about all databases continues, and ends with exit status 1. */
export const missesAway: Away = (pattern, error) => {
  tellAway(pattern, error);
  process.exitCode = 1;
};

function away(pattern: DatabaseConfig, error: Error): Finding {
  const remedy = ["start it, or check its address in DATABASES"];
  return { ok: false, severity: "error", page: "operating.md#many-databases", text: awayText(pattern, error), remedy };
}

function awayText({ name }: DatabaseConfig, { message }: Error): string {
  return `the cluster ${clusterName(name)} does not answer, so its databases are left out: ${message}`;
}

function unfinished(
  name: string,
  { from = "another one", to, served }: { from: string | undefined; to: string; served: boolean },
): Finding {
  const [old, other] = [from, to].map(clusterName);
  const state = served ? "it cannot be altered meanwhile" : "it is not served";
  return {
    ok: false,
    severity: served ? "warning" : "error",
    page: "operating.md#move-a-database-to-another-cluster",
    text: `the database ${name} moves from ${old} to ${other}, and ${state}; if no command is moving it now, one was interrupted`,
    remedy: [
      `npx portolan database move ${name} ${other}`,
      `or to leave it: npx portolan database move ${name} ${old}`,
    ],
  };
}

/** The replication slots of moves (`server/cli/move`). */
const MOVE_SLOTS =
  "select slot_name as slot, database as name from pg_replication_slots where slot_name ~ '^portolan_move_[0-9]+$'";

function leftSlot(slot: string, name: string, pattern: string): Finding {
  return {
    ok: false,
    severity: "warning",
    page: "operating.md#move-a-database-to-another-cluster",
    text: `the replication slot ${slot} of ${name} in ${clusterName(pattern)} keeps the log there for a move that has ended`,
    remedy: [`in ${clusterName(pattern)}: select pg_drop_replication_slot('${slot}');`],
  };
}

function twice(name: string, served: string, other: string): Finding {
  return {
    ok: false,
    severity: "error",
    page: "operating.md#many-databases",
    text: `the database ${name} is in the clusters of ${served} and ${other}: that of ${other} is not served`,
    remedy: [`npx portolan database remove ${name} --cluster ${clusterName(other)} --yes`, "or rename one of the two"],
  };
}

/** The name of a cluster in commands: `north` of the pattern `north/*`. */
export function clusterName(pattern: string): string {
  return pattern.replace(/\/\*$/, "");
}

function baseUrlOf(config: Config): string {
  const scheme = config.tlsCert === undefined ? "http" : "https";
  return config.baseUrl ?? `${scheme}://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}

/** The database that `--database` names, which may be left out where there is one. Throws `OperatorError`. */
export async function chooseDatabase({ database }: DatabaseOption): Promise<ServedDatabase> {
  const databases = await configuredDatabases();
  const some = databases.slice(0, 20).map(({ name }) => name);
  const names = databases.length > some.length ? `${some.join(", ")} …` : some.join(", ");
  const chosen =
    database === undefined && databases.length === 1 ? databases[0] : databases.find(({ name }) => name === database);
  if (!chosen) throw new OperatorError(`--database: choose one of ${names}`);
  return chosen;
}

/** Runs the callback as the owner of Portolan: the SQL functions are for operators. */
export async function withOwner<T>(
  options: DatabaseOption,
  callback: (database: Database, served: ServedDatabase) => Promise<T>,
): Promise<T> {
  const served = await chooseDatabase(options);
  return withOpened(served.name, served.ownerUrl, (database) => callback(database, served));
}

export async function withOpened<T>(
  name: string,
  url: string,
  callback: (database: Database) => Promise<T>,
): Promise<T> {
  const { openDatabase } = await import("../kernel/database/database.ts");
  const database = openDatabase({
    name,
    url,
    poolSize: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: HOUR_MS,
    ownQueryTimeoutMs: HOUR_MS, // a configuration of many rules is applied in one statement
  });
  try {
    return await callback(database);
  } catch (error) {
    throw (await whyMissing(database, error)) ?? error;
  } finally {
    await database.close();
  }
}

/** The errors of our statements where schema portolan, or a part of it, is missing. */
const MISSING: readonly string[] = ["3F000", "42883", SQLSTATE.undefinedTable, SQLSTATE.undefinedColumn];

/**
 * The remedy where the database is not migrated, or not to this version; undefined where `error` is about something else.
 */
async function whyMissing({ name, db }: Database, error: unknown): Promise<OperatorError | undefined> {
  if (!MISSING.includes(sqlstateOf(error) ?? "")) return undefined;
  const { isMigrated } = await import("../operate/migrate.ts");
  if (await isMigrated(async (text) => ({ rows: await db.any(text) }))) return undefined;
  return new OperatorError(`${name} is not migrated to this version: npx portolan migrate`, { cause: error });
}
