/** Which databases of a cluster a pattern (`postgres://…/*`) means: those that Portolan has the role `anonymous@<name>` for. */
import type { DatabaseConfig } from "./config.ts";

/** Where a pattern asks for them, and where it is kept which of them are frozen. */
export const MAINTENANCE_DATABASE = "postgres";
/** With `anonymous@` before it, a name must be no longer than PostgreSQL keeps. */
export const MAX_NAME_BYTES = 53;

export interface FoundDatabase {
  readonly name: string;
  /** It is not opened: its requests are 503. */
  readonly frozen: boolean;
}

/** `query` runs in the maintenance database. */
export async function findDatabases(
  query: <Row>(text: string) => Promise<readonly Row[]>,
): Promise<readonly FoundDatabase[]> {
  const found = await query<{ name: string; freezes: boolean }>(`
select d.datname as name, to_regclass('portolan_fleet.frozen') is not null as freezes
from pg_database d
where d.datallowconn and not d.datistemplate
  and exists (select from pg_roles r where r.rolname = 'anonymous@' || d.datname)
order by 1`);
  const frozen = found[0]?.freezes ? await query<{ name: string }>("select name from portolan_fleet.frozen") : [];
  const names = new Set(frozen.map(({ name }) => name));
  return found.map(({ name }) => ({ name, frozen: names.has(name) }));
}

/** How many more connections PostgreSQL gives this login at the moment. */
export async function freeConnections(query: <Row>(text: string) => Promise<readonly Row[]>): Promise<number> {
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
  const { url, ownerUrl, pooledUrl, replicaUrls } = pattern;
  return {
    name,
    url: named(url),
    ownerUrl: named(ownerUrl),
    ...(pooledUrl && { pooledUrl: named(pooledUrl) }),
    ...(replicaUrls && { replicaUrls: replicaUrls.map(named) }),
  };
}
