/** Checks a database of the user before it is served: it answers, it is migrated, and risks are reported. */
import type pg from "pg";
import type { DatabaseConfig } from "./kernel/config.ts";
import {
  checkServers,
  checkStandbys,
  connectDirectly,
  poolerFindings,
  SET_JIT_OFF,
  SET_SEARCH_PATH,
  SHARDS_IN_TURN,
  type Database,
} from "./kernel/database/database.ts";
import { askCluster, patternFinding } from "./fleet/discovery.ts";
import { findingsOfOwn } from "./operate/doctor/doctor.ts";
import { passwordsAreAsked, poolLogin } from "./operate/doctor/servers.ts";
import { GatewayError, OperatorError, SQLSTATE, passwordMissing, sqlstateOf } from "./ground/errors.ts";
import type { Log } from "./ground/log.ts";
import { isMigrated, migrate, type Query } from "./operate/migrate.ts";

/** A problem that an operator can solve; the message says how. */
export class StartError extends OperatorError {
  override readonly name = "StartError";
}

/** Migrates a database of the user if its owner role may, else checks that it is migrated; warns about its login. */
export async function prepareDatabase(database: DatabaseConfig, log: Log): Promise<void> {
  const login = await connect(database, log);
  try {
    const user = login.user ?? "";
    const query: Query = (text) => login.query(text);
    if (!(await isMigrated(query)) || (await isRestored(query))) await migrateOrExplain(database, user, log);
    await warnAboutLogin(login, database.name, log);
    await warnAboutFindings(login, database.name, log);
    await tellHowItLogsIn(login, database, log);
  } finally {
    await login.end();
  }
}

/** Looks at the servers and the pooler too. Throws `StartError`. */
async function connect(database: DatabaseConfig, log: Log): Promise<pg.Client> {
  let opened: pg.Client | string | undefined;
  try {
    await checkEachServer(database, log);
    await checkPooler(database, log);
    await checkEachStandby(database, log);
    opened = await connectDirectly(database.url);
    if (typeof opened !== "string")
      for (const setting of [SET_SEARCH_PATH, SET_JIT_OFF, SHARDS_IN_TURN]) await opened.query(setting);
  } catch (error) {
    if (typeof opened === "object") await opened.end().catch(() => undefined);
    if (error instanceof StartError) throw error;
    const missing = passwordMissing(error);
    const why = missing === undefined ? `does not answer: ${reasonOf(error)}` : `cannot be served. ${missing}.`;
    throw new StartError(`The database ${database.name} ${why}`, { cause: error });
  }
  if (typeof opened === "string") throw new StartError(`The database ${database.name} cannot be served. ${opened}.`);
  return opened;
}

/** Whether the logins of requests and accounts keep what they should, in one line each. */
async function tellHowItLogsIn(client: pg.Client, database: DatabaseConfig, log: Log): Promise<void> {
  for (const { ok, text } of await poolLogin(client, database)) {
    if (!ok) log.warn({ database: database.name }, text);
    else if (database.pooledUrl !== undefined) log.info({ database: database.name }, text);
  }
  const { ok, text, remedy } = await passwordsAreAsked(client, database);
  if (!ok) log.warn({ database: database.name, remedy }, text);
}

/**
 * Reports which databases of its cluster each pattern leaves out, or that it finds none. One cluster of several need not answer
 * now. Throws `StartError` where none does.
 */
export async function preparePatterns(patterns: readonly DatabaseConfig[], log: Log): Promise<void> {
  let answering = 0;
  for (const pattern of patterns) {
    try {
      const { ok, others, text } = await askCluster(pattern, patternFinding);
      if (!ok || others > 0) log.warn(text);
      answering++;
    } catch (error) {
      const text = `The cluster of the databases ${pattern.name} does not answer: ${reasonOf(error)}`;
      if (answering === 0 && pattern === patterns.at(-1)) throw new StartError(text, { cause: error });
      log.warn(text);
    }
  }
}

/**
 * The same for a database that wakes: only quick checks. Throws `NOT_FOUND` where there is no schema `portolan`, and makes
 * nothing.
 */
export async function prepareSleeper({ db, name }: Database, config: DatabaseConfig, log: Log): Promise<void> {
  const { there, login } = await db.one<{ there: boolean; login: string }>(
    "select to_regnamespace('portolan') is not null as there, session_user::text as login",
  );
  if (!there) throw new GatewayError("NOT_FOUND", `The database ${name} is not one of Portolan's: it was not migrated`);
  const query: Query = async (text) => ({ rows: await db.any(text) });
  if (!(await isMigrated(query)) || (await isRestored(query))) await migrateOrExplain(config, login, log);
}

/**
 * Where the connection string names several servers: one that does not answer now may do so later, but one of another
 * cluster is a mistake.
 */
async function checkEachServer({ name, url }: DatabaseConfig, log: Log): Promise<void> {
  for (const { server, problem, remedy, isForeign } of await checkServers(url)) {
    if (isForeign) throw new StartError(`The database ${name} cannot be served. ${server} ${problem}: ${remedy}.`);
    if (problem !== undefined) log.warn({ database: name, server, remedy }, `a server of the database ${problem}`);
  }
}

/** A standby that cannot be read from is left out until it can; one of another cluster is a mistake. */
async function checkEachStandby({ name, url, replicaUrls }: DatabaseConfig, log: Log): Promise<void> {
  if (!replicaUrls) return;
  for (const { server, problem, remedy, isForeign } of await checkStandbys(url, replicaUrls)) {
    if (isForeign)
      throw new StartError(`The database ${name} cannot be served. Its standby ${server} ${problem}: ${remedy}.`);
    if (problem !== undefined) log.warn({ database: name, server, remedy }, `a standby of the database ${problem}`);
  }
}

async function checkPooler({ name, url, pooledUrl }: DatabaseConfig, log: Log): Promise<void> {
  if (pooledUrl === undefined) return;
  for (const { problem, isFatal } of await poolerFindings(pooledUrl, url)) {
    if (isFatal) throw new StartError(`The database ${name} cannot be served. Its pooler ${problem}.`);
    log.warn({ database: name }, `the pooler ${problem}`);
  }
}

async function migrateOrExplain(database: DatabaseConfig, user: string, log: Log): Promise<void> {
  try {
    const { migrations, code } = await migrate({
      ownerUrl: database.ownerUrl,
      gatewayLogin: user,
      legacyClient: database.legacyClient,
      waits: (text) => log.warn({ database: database.name }, text),
    });
    log.info({ database: database.name, migrations, code: code.length }, "migrated");
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    if (sqlstateOf(cause) !== SQLSTATE.insufficientPrivilege) throw error;
    throw new StartError(
      [
        `The database ${database.name} must be migrated, but this role may not do it: ${reasonOf(cause)}.`,
        `Run once, with a role that has CREATEROLE and may create schemas there:`,
        `  OWNER_DATABASE_URL=postgres://owner@… DATABASE_URL=postgres://${user}@… npx portolan migrate`,
        `or give OWNER_DATABASE_URL to the start command.`,
        ...(cause === error ? [] : [`Or: ${reasonOf(error)}`]),
      ].join("\n"),
      { cause: error },
    );
  }
}

/** A restored or copied database lacks roles and grants, which a migration restores. */
async function isRestored(query: Query): Promise<boolean> {
  const { rows } = await query("select portolan.is_restored()::text as is");
  return rows[0]?.["is"] === "true";
}

/**
 * Problems that keep rights from holding, or let events, history or workflow miss writes; the others are for doctor only.
 */
async function warnAboutFindings(client: pg.Client, database: string, log: Log): Promise<void> {
  const { rows: policies } = await client.query<{ text: string; remedy: string }>(
    "select finding as text, remedy from portolan.sleeping_policies()",
  );
  const found = [
    ...(await findingsOfOwn(client)),
    ...policies.map(({ text, remedy }) => ({ text, remedy: remedy.split("\n") })),
  ];
  if (found.length > 0)
    log.warn(
      { database, findings: found.map(({ text }) => text), statements: found.flatMap(({ remedy }) => remedy) },
      "the database needs repair: run these statements; portolan doctor says more",
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
  const advice = "use a separate login role for DATABASE_URL, and migrate with OWNER_DATABASE_URL";
  if (rows[0]?.superuser) log.warn({ database }, `the login role is a superuser: ${advice}`);
  else if (rows[0]?.owns) log.warn({ database }, `the login role owns what it serves: ${advice}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
