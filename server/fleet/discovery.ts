/** The databases of a cluster that a pattern (`postgres://…/*`) serves: those with a role `anonymous@<name>` of Portolan. */
import type { DatabaseConfig } from "../kernel/config.ts";
import { connectTo } from "../kernel/database/database.ts";
import type { Finding } from "../ground/finding.ts";

/** The database in which a pattern looks for them, and stores which of them are frozen. */
export const MAINTENANCE_DATABASE = "postgres";
/** A notification on it lets gateways look for databases at once. */
export const FLEET_CHANNEL = "portolan_fleet";
/** With `anonymous@` before it, a name must fit into the 63 bytes of PostgreSQL. */
export const MAX_NAME_BYTES = 53;

export interface FoundDatabase {
  readonly name: string;
  /** The database is not opened: its requests are 503. */
  readonly frozen: boolean;
}

/** Runs in the maintenance database. */
export type Query = <Row>(text: string) => Promise<readonly Row[]>;

/** For a row `d` of pg_database: whether it is a database of Portolan. */
export const IS_OURS = "exists (select from pg_roles r where r.rolname = 'anonymous@' || d.datname)";

/** Without databases that are arriving from another cluster, and those that have left for one (`portolan database move`). */
export async function findDatabases(query: Query): Promise<readonly FoundDatabase[]> {
  return (await lookForDatabases(query)).databases;
}

export interface Look {
  readonly databases: readonly FoundDatabase[];
  /** The names of databases that have left for another cluster, or are about to. */
  readonly left: ReadonlySet<string>;
  /** The names of databases that are copied from another cluster. */
  readonly arriving: ReadonlySet<string>;
  /** Those of them that have everything, and will be served in some seconds. */
  readonly ready: ReadonlySet<string>;
}

export async function lookForDatabases(query: Query): Promise<Look> {
  const rows = await query<{ name: string | null; freezes: boolean; moves: boolean; readies: boolean }>(`
select d.datname as name, s.*
from (
  select to_regclass('portolan_fleet.frozen') is not null as freezes, to_regclass('portolan_fleet.moves') is not null as moves,
    to_regclass('portolan_fleet.ready') is not null as readies
) s left join pg_database d on d.datallowconn and not d.datistemplate and ${IS_OURS}
order by 1`);
  const noted = [
    ...(rows[0]?.freezes ? ["select name, 'frozen' as state from portolan_fleet.frozen"] : []),
    ...(rows[0]?.moves ? ["select name, state from portolan_fleet.moves"] : []),
    ...(rows[0]?.readies ? ["select name, 'ready' from portolan_fleet.ready"] : []),
  ];
  const states = noted.length > 0 ? await query<{ name: string; state: string }>(noted.join(" union all ")) : [];
  const namesIn = (...wanted: readonly string[]): ReadonlySet<string> =>
    new Set(states.filter(({ state }) => wanted.includes(state)).map(({ name }) => name));
  const [frozen, moving] = [namesIn("frozen"), namesIn("arriving", "left")];
  const databases = rows
    .flatMap(({ name }) => name ?? [])
    .filter((name) => !moving.has(name))
    .map((name) => ({ name, frozen: frozen.has(name) }));
  return { databases, left: namesIn("left"), arriving: namesIn("arriving"), ready: namesIn("ready") };
}

/** For an operator: the databases of this cluster that a pattern serves, and those that it leaves out. */
export async function patternFinding(query: Query): Promise<Finding & { readonly others: number }> {
  const [{ ours = 0, others = 0 } = {}] = await query<{ ours: number; others: number }>(`
select count(*) filter (where ${IS_OURS})::integer as ours, count(*) filter (where not ${IS_OURS})::integer as others
from pg_database d
where d.datallowconn and not d.datistemplate and d.datname <> '${MAINTENANCE_DATABASE}'`);
  return {
    ok: ours > 0,
    severity: "warning",
    page: "operating.md#many-databases",
    text: `Portolan serves ${ours} databases of the cluster, and leaves ${others} others alone`,
    remedy: ["npx portolan database add NAME", "or let DATABASE_URL lead to the cluster that has them"],
    others,
  };
}

/** Queries the maintenance database of a pattern's cluster, as the gateway's login. */
export async function askCluster<T>(pattern: DatabaseConfig, ask: (query: Query) => Promise<T>): Promise<T> {
  const connection = connectTo(databaseOf(pattern, MAINTENANCE_DATABASE).url);
  try {
    return await ask((text) => connection.rows(text));
  } finally {
    await connection.close();
  }
}

/** How many more connections PostgreSQL gives this login now. */
export async function freeConnections(query: Query): Promise<number> {
  const [row] = await query<{ free: number }>(`
select least(
  (select sum(setting::integer) filter (where name = 'max_connections')
    - sum(setting::integer) filter (where name <> 'max_connections')
    from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections'))
  - (select sum(numbackends) from pg_stat_database),
  (select r.rolconnlimit - count(a.pid)
    from pg_roles r left join pg_stat_activity a on a.usesysid = r.oid
    where r.rolname = current_user and r.rolconnlimit >= 0
    group by r.rolconnlimit))::integer as free`);
  return row?.free ?? 0;
}

/** The configuration of one database of a pattern. */
export function databaseOf(pattern: DatabaseConfig, name: string): DatabaseConfig {
  const named = (url: string): string => url.replace(/\/\*(?=$|\?)/, () => `/${encodeURIComponent(name)}`);
  const { url, ownerUrl, pooledUrl, replicaUrls, legacyClient } = pattern;
  return {
    name,
    url: named(url),
    ownerUrl: named(ownerUrl),
    ...(pooledUrl && { pooledUrl: named(pooledUrl) }),
    ...(replicaUrls && { replicaUrls: replicaUrls.map(named) }),
    ...(legacyClient && { legacyClient }),
  };
}
