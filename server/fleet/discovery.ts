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

/** Without those that arrive from another cluster, and those that have left for one (`portolan database move`). */
export async function findDatabases(query: Query): Promise<readonly FoundDatabase[]> {
  const found = await query<{ name: string; freezes: boolean; moves: boolean }>(`
select d.datname as name, to_regclass('portolan_fleet.frozen') is not null as freezes,
  to_regclass('portolan_fleet.moves') is not null as moves
from pg_database d
where d.datallowconn and not d.datistemplate and ${IS_OURS}
order by 1`);
  const frozen = found[0]?.freezes ? await query<{ name: string }>("select name from portolan_fleet.frozen") : [];
  const moving = found[0]?.moves ? await query<{ name: string }>("select name from portolan_fleet.moves") : [];
  const isFrozen = namesOf(frozen);
  const isMoving = namesOf(moving);
  return found.filter(({ name }) => !isMoving.has(name)).map(({ name }) => ({ name, frozen: isFrozen.has(name) }));
}

function namesOf(rows: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => name));
}

/** The names of databases that have left for another cluster, or are about to. */
export async function findLeft(query: Query): Promise<ReadonlySet<string>> {
  const [moves] = await query<{ there: boolean }>("select to_regclass('portolan_fleet.moves') is not null as there");
  if (!moves?.there) return new Set();
  return namesOf(await query<{ name: string }>("select name from portolan_fleet.moves where state = 'left'"));
}

/** For an operator: what a pattern serves in this cluster, where it leaves databases out or finds none. */
export async function patternFinding(query: Query): Promise<Finding & { readonly others: number }> {
  const [{ ours = 0, others = 0 } = {}] = await query<{ ours: number; others: number }>(`
select count(*) filter (where ${IS_OURS})::integer as ours, count(*) filter (where not ${IS_OURS})::integer as others
from pg_database d
where d.datallowconn and not d.datistemplate and d.datname <> '${MAINTENANCE_DATABASE}'`);
  return {
    ok: ours > 0,
    severity: "warning",
    page: "operating.md#many-databases",
    text: `databases of the cluster that are Portolan's and served: ${ours}; others, which are left alone: ${others}`,
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
