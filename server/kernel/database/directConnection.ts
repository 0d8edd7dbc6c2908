/** Whether a connection string leads to a PostgreSQL that the gateway can work with. */
import type pg from "pg";
import { nameOf, readConnectionString } from "../connectionString.ts";
import { sqlstateOf } from "../../ground/errors.ts";
import { certificateOf, makeClient, type ServerCertificate } from "./wire/wire.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A setting that every connection of Portolan makes at its start. It differs from PostgreSQL's default, so a pooler
 * that drops it is noticed.
 */
const PROBE_OPTIONS = "-c backslash_quote=off";

const DIRECTLY =
  "Connect to PostgreSQL directly, or through a pooler in session mode that passes `options` on. For a pooler in transaction mode set POOLER=transaction and DIRECT_DATABASE_URL";
export const STANDBY = "It is a standby, which takes no writes. Name the primary here, and the standby in REPLICA_URLS";

/** As `connectDirectly`, for who does not need the connection. */
export async function connectionProblem(url: string): Promise<string | undefined> {
  const opened = await connectDirectly(url);
  if (typeof opened === "string") return opened;
  await opened.end();
  return undefined;
}

/**
 * A connection of the caller's, who ends it; else the reason why the gateway cannot serve there, and the remedy. Throws when the
 * server does not answer. A pooler in transaction mode is recognised by two connections that share one backend, or by
 * start-up options that it refuses or drops: sessions would lose their settings and prepared statements.
 */
export async function connectDirectly(url: string): Promise<pg.Client | string> {
  const [first, second] = [probe(url), probe(url)];
  let isKept = false;
  try {
    await first.connect();
    await second.connect();
    const problem = await problemOf(first, second);
    isKept = problem === undefined;
    return problem ?? first;
  } catch (error) {
    if (error instanceof Error && /startup parameter/.test(error.message))
      return `It is behind a pooler that refuses start-up options (${error.message}). ${DIRECTLY}`;
    throw error;
  } finally {
    await Promise.allSettled([second.end(), isKept || first.end()]);
  }
}

async function problemOf(first: pg.Client, second: pg.Client): Promise<string | undefined> {
  const { rows } = await first.query<{ pid: number; options: boolean; standby: boolean }>(`
select pg_catalog.pg_backend_pid() as pid, pg_catalog.current_setting('backslash_quote') operator(pg_catalog.=) 'off' as options, pg_catalog.pg_is_in_recovery() as standby`);
  const [seen] = rows;
  if (seen?.standby) return STANDBY;
  if (!seen?.options) return `It is behind a pooler that drops the start-up options of sessions. ${DIRECTLY}`;
  await second.query("begin");
  const other = await second.query<{ pid: number }>("select pg_catalog.pg_backend_pid() as pid");
  if (other.rows[0]?.pid === seen.pid) return `It is behind a pooler in transaction mode. ${DIRECTLY}`;
  return undefined;
}

/** The problem of a pooler that is said to be in transaction mode. */
export interface PoolerFinding {
  readonly problem: string;
  /** Whether requests cannot be served through it. */
  readonly isFatal: boolean;
}

const PROBES = 5;
/** All names are qualified, here and below: the owner of a database may give it another search_path. */
const WHICH = `select (select system_identifier::pg_catalog.text from pg_catalog.pg_control_system()) as system, pg_catalog.current_database() as database,
  session_user as login`;

/** Looks through the pooler and past it. Gives nothing when all is well. Throws when the database itself does not answer. */
export async function poolerFindings(pooledUrl: string, url: string): Promise<PoolerFinding[]> {
  const [direct, first, second] = [probe(url), bareProbe(pooledUrl), bareProbe(pooledUrl)];
  try {
    await direct.connect();
    const expected = (await direct.query<Record<string, string>>(WHICH)).rows[0];
    try {
      await first.connect();
      await second.connect();
      const seen = (await first.query<Record<string, string>>(WHICH)).rows[0];
      const differs = (["system", "database", "login"] as const).filter((name) => seen?.[name] !== expected?.[name]);
      if (differs.length > 0) return [{ isFatal: true, problem: `leads to another ${differs.join(" and ")}` }];
      return (await sharesBackends(first, second)) ? [] : [{ isFatal: false, problem: NOT_TRANSACTION }];
    } catch (error) {
      return [{ isFatal: true, problem: `does not answer: ${(error as Error).message}` }];
    }
  } finally {
    await Promise.allSettled([direct, first, second].map((client) => client.end()));
  }
}

const NOT_TRANSACTION =
  "gives each session a backend of its own, as in session mode or without a pooler: set pool_mode = transaction, or leave POOLER out";

/**
 * Whether the other connection uses a backend that one has used outside a transaction. It is tried again, because
 * others use the backend too.
 */
async function sharesBackends(first: pg.Client, second: pg.Client): Promise<boolean> {
  const pidOf = async (client: pg.Client): Promise<number | undefined> =>
    (await client.query<{ pid: number }>("select pg_catalog.pg_backend_pid() as pid")).rows[0]?.pid;
  for (let probe = 0; probe < PROBES; probe++) {
    const pid = await pidOf(first);
    await second.query("begin");
    const other = await pidOf(second);
    await second.query("rollback");
    if (pid === other) return true;
  }
  return false;
}

/** Rejects where a connection of a pool has lost its start-up options, or where its server has become a standby. */
export async function checkSession(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ options: boolean; standby: boolean }>(
    "select pg_catalog.current_setting('backslash_quote') operator(pg_catalog.=) 'off' as options, pg_catalog.pg_is_in_recovery() as standby",
  );
  if (rows[0]?.standby) throw new Error(STANDBY);
  if (!rows[0]?.options) throw new Error(`A pooler drops the start-up options of sessions. ${DIRECTLY}`);
}

/** One of the servers that a connection string names. */
export interface ServerFinding {
  readonly server: string;
  /** The problem to report: it does not answer, or is of another cluster. */
  readonly problem: string | undefined;
  /** The remedy. */
  readonly remedy: string;
  /** Another cluster, which does not have the rows that were written here. */
  readonly isForeign: boolean;
  readonly isStandby: boolean;
  /** The certificate that it has shown; undefined without TLS, or without an answer. */
  readonly certificate: ServerCertificate | undefined;
}

const FOREIGN = "is of another cluster (its system identifier differs)";
const ANEW = "or make it again with pg_basebackup from the primary";

/** The remedy for a server. `named`: the option that names it. */
function remedyOf({ error, refuses }: Seen, named: string): string {
  if (refuses) return "use the login and the password of DATABASE_URL, and allow them in its pg_hba.conf";
  return error === undefined ? `take it out of ${named}, ${ANEW}` : `start it, or take it out of ${named}`;
}

/** Looks at each server of a connection string that names several; gives nothing for one. Never rejects. */
export async function checkServers(url: string): Promise<readonly ServerFinding[]> {
  const { servers, urlOf } = readConnectionString(url);
  if (servers.length === 1) return [];
  const seen = await Promise.all(servers.map((server) => lookAt(urlOf(server))));
  // the primary is right; where none is known, the cluster that most servers belong to
  const known = seen.find(({ standby }) => standby === false)?.system ?? seen.find(({ system }) => system)?.system;
  return servers.map((server, at) => {
    const { error, system, standby = false, certificate } = seen[at]!;
    const isForeign = system !== undefined && system !== known;
    const problem = isForeign ? FOREIGN : error;
    const remedy = remedyOf(seen[at]!, "the connection string");
    return { server: nameOf(server), problem, remedy, isForeign, isStandby: standby, certificate };
  });
}

/** Looks at each server that is said to be a standby of `url`. Never rejects. */
export async function checkStandbys(url: string, replicaUrls: readonly string[]): Promise<readonly ServerFinding[]> {
  const [primary, ...seen] = await Promise.all([url, ...replicaUrls].map(lookAt));
  return seen.map((one, at) => {
    const { error, system, standby: isStandby = false, database, certificate } = one;
    const server = readConnectionString(replicaUrls[at]!).servers.map(nameOf).join(",");
    const isForeign = system !== undefined && primary?.system !== undefined && system !== primary.system;
    const isOther =
      !isForeign && database !== undefined && primary?.database !== undefined && database !== primary.database;
    const told = { server, isForeign: isForeign || isOther, isStandby, certificate };
    if (isForeign) return { ...told, problem: FOREIGN, remedy: remedyOf(one, "REPLICA_URLS") };
    if (isOther)
      return { ...told, problem: `is another database (${database})`, remedy: `name ${primary.database} in its place` };
    if (error !== undefined || isStandby) return { ...told, problem: error, remedy: remedyOf(one, "REPLICA_URLS") };
    const remedy = "take it out of REPLICA_URLS; a primary belongs in DATABASE_URL";
    return { ...told, problem: "is not a standby, so nothing is read from it", remedy };
  });
}

interface Seen {
  readonly error?: string;
  /** Whether the server answers but refuses the login. */
  readonly refuses?: boolean;
  readonly system?: string;
  readonly standby?: boolean;
  readonly database?: string;
  readonly certificate?: ServerCertificate | undefined;
}

async function lookAt(url: string): Promise<Seen> {
  const client = probe(url);
  try {
    await client.connect();
    const { rows } = await client.query<Seen>(
      "select (select system_identifier::pg_catalog.text from pg_catalog.pg_control_system()) as system, pg_catalog.pg_is_in_recovery() as standby, pg_catalog.current_database() as database",
    );
    return { ...rows[0], certificate: certificateOf(client) };
  } catch (error) {
    const why = (error as Error).message || (error as { code?: string }).code;
    if (/^28/.test(sqlstateOf(error) ?? "")) return { error: `refuses the login: ${why}`, refuses: true };
    return { error: `does not answer: ${why}` };
  } finally {
    await client.end().catch(() => undefined); // it was never connected
  }
}

function probe(url: string): pg.Client {
  return bareProbe(url, { options: PROBE_OPTIONS });
}

function bareProbe(url: string, more: pg.ClientConfig = {}): pg.Client {
  return makeClient({ ...more, connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
}
