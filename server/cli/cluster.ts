/** The clusters that are served whole, for the commands about their databases. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseConfig } from "../kernel/config.ts";
import type { Connection } from "../kernel/database/database.ts";
import { OperatorError } from "../ground/errors.ts";
import type { Row } from "./command.ts";
import { clusterName, readConfig, type Away } from "./databases.ts";

/** How long gateways may take to leave a database: they poll every 5 s, and then end their work there. */
const LEAVE_MS = 30_000;

export interface Cluster {
  readonly pattern: DatabaseConfig;
  /** The maintenance database, as the owner. */
  readonly maintenance: Connection;
}

/** Throws `OperatorError` where none is served whole. */
async function allPatterns(): Promise<readonly DatabaseConfig[]> {
  const { patterns } = await readConfig();
  if (patterns.length === 0) throw new OperatorError("no cluster is served whole: DATABASE_URL must end with /*");
  return patterns;
}

/**
 * The clusters, one after the other. `onAway` is called for those that do not answer; without it the first of them is
 * an error.
 */
export async function inEachCluster<T>(
  callback: (cluster: Cluster) => Promise<T>,
  onAway?: Away,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (const pattern of await allPatterns())
    await withPattern(pattern, async (cluster) => {
      const error = onAway && (await cluster.maintenance.rows("select").catch((reason: unknown) => reason as Error));
      if (error instanceof Error) onAway!(pattern, error);
      else results.push(await callback(cluster));
    });
  return results;
}

/**
 * The cluster that `--cluster` names. Without it the only one; or, with `has`, the only one that has a database of this
 * name or the remains of one. Throws `OperatorError`.
 */
export async function withCluster<T>(
  { cluster: wanted, has }: { readonly cluster?: string | undefined; readonly has?: string },
  callback: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const patterns = await allPatterns();
  const names = patterns.map(({ name }) => clusterName(name)).join(", ");
  if (wanted !== undefined) {
    const pattern = patterns.find(({ name }) => clusterName(name) === wanted);
    if (!pattern) throw new OperatorError(`--cluster: choose one of ${names}`);
    return withPattern(pattern, callback);
  }
  if (patterns.length === 1) return withPattern(patterns[0]!, callback);
  if (has === undefined) throw new OperatorError(`--cluster: choose one of ${names}`);
  const having: DatabaseConfig[] = [];
  for (const pattern of patterns)
    if (await withPattern(pattern, (cluster) => knows(cluster, has))) having.push(pattern);
  if (having.length === 0) throw new OperatorError(`there is no database ${has} of Portolan`);
  if (having.length > 1)
    throw new OperatorError(
      `--cluster: ${has} is in several, choose one of ${having.map(({ name }) => clusterName(name)).join(", ")}`,
    );
  return withPattern(having[0]!, callback);
}

/**
 * Whether the cluster has a database of this name, or the remains of one whose removal was interrupted. A database that
 * has left for another cluster, or that is arriving, does not count.
 */
export async function knows(cluster: Cluster, name: string): Promise<boolean> {
  if ((await moveStateOf(cluster, name)) !== undefined) return false;
  return (await isFrozen(cluster, name)) || isThere(cluster, name);
}

async function withPattern<T>(pattern: DatabaseConfig, callback: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { databaseOf, MAINTENANCE_DATABASE } = await import("../fleet/discovery.ts");
  const { connectTo } = await import("../kernel/database/database.ts");
  const maintenance = connectTo(databaseOf(pattern, MAINTENANCE_DATABASE).ownerUrl);
  try {
    return await callback({ pattern, maintenance });
  } finally {
    await maintenance.close();
  }
}

export interface ClusterOption {
  readonly cluster?: string;
}

/** Until the command ends; then its records are complete. Throws `OperatorError`. */
export async function noneElseAt({ maintenance }: Cluster, name: string): Promise<void> {
  await makeFleetSchema(maintenance);
  const [row] = await maintenance.rows<{ got: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('portolan database ' || $1, 0)) as got",
    [name],
  );
  if (!row?.got) throw new OperatorError(`another command is making, moving or removing ${name}: try again later`);
}

/** In the audit of the database itself, where its super users see it. */
export async function note(ownerUrl: string, event: string, before: Row | null, after: Row): Promise<void> {
  const { connectTo } = await import("../kernel/database/database.ts");
  const connection = connectTo(ownerUrl);
  try {
    await noteIn(connection, event, before, after);
  } finally {
    await connection.close();
  }
}

/** The same, with a connection of its owner. */
export async function noteIn(connection: Connection, event: string, before: Row | null, after: Row): Promise<void> {
  await connection.rows(
    `insert into portolan.audit (event, details)
     values ($1, jsonb_build_object(
       'database', current_database(), 'by', portolan.actor(), 'before', $2::jsonb, 'after', $3::jsonb))`,
    [event, before && JSON.stringify(before), JSON.stringify(after)],
  );
}

export async function asOwner(
  ownerUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { connectTo } = await import("../kernel/database/database.ts");
  const connection = connectTo(ownerUrl);
  try {
    return await connection.rows<Row>(text, values);
  } finally {
    await connection.close();
  }
}

export async function mustExist({ maintenance }: Cluster, name: string): Promise<void> {
  const { findDatabases } = await import("../fleet/discovery.ts");
  const found = await findDatabases((text) => maintenance.rows(text));
  if (!found.some((one) => one.name === name)) throw new OperatorError(`there is no database ${name} of Portolan`);
}

/** Returns whether it was frozen before. */
export async function setFrozen(cluster: Cluster, name: string, frozen: boolean): Promise<boolean> {
  const { maintenance } = cluster;
  await makeFleetSchema(maintenance);
  const before = await isFrozen(cluster, name);
  const change = frozen
    ? "insert into portolan_fleet.frozen (name) values ($1) on conflict do nothing"
    : "delete from portolan_fleet.frozen where name = $1";
  await maintenance.rows(change, [name]);
  await tellGateways(cluster);
  return before;
}

export async function isFrozen({ maintenance }: Cluster, name: string): Promise<boolean> {
  return (await maintenance.rows("select from portolan_fleet.frozen where name = $1", [name])).length > 0;
}

/**
 * The state that a move gives a database: `arriving` from another cluster, where it is still served, or `left` for
 * another one. Gateways serve neither.
 */
export type MoveState = "arriving" | "left";

/** `other`: the cluster at the other end. */
export async function setMoveState(
  { maintenance }: Cluster,
  name: string,
  state: MoveState,
  other: string,
): Promise<void> {
  await makeFleetSchema(maintenance);
  await maintenance.rows(
    "insert into portolan_fleet.moves (name, state, cluster) values ($1, $2, $3) on conflict (name) do update set (state, cluster, at) = (excluded.state, excluded.cluster, now())",
    [name, state, other],
  );
}

/** Notes in the cluster where a database arrives the roles that are made for it: a move that is killed leaves them. */
export async function rememberRoles({ maintenance }: Cluster, name: string, roles: readonly string[]): Promise<void> {
  await maintenance.rows("update portolan_fleet.moves set roles = roles || $2::text[] where name = $1", [name, roles]);
}

/** The roles that were made for a move that has not ended. */
export async function rememberedRoles({ maintenance }: Cluster, name: string): Promise<readonly string[]> {
  await makeFleetSchema(maintenance);
  const [row] = await maintenance.rows<{ roles: string[] }>(
    "select roles from portolan_fleet.moves where name = $1 and state = 'arriving'",
    [name],
  );
  return row?.roles ?? [];
}

/** Gateways prepare the slow parts for a database that arrives and will soon be served. */
export async function setReady(cluster: Cluster, name: string): Promise<void> {
  await cluster.maintenance.rows("insert into portolan_fleet.ready (name) values ($1) on conflict do nothing", [name]);
  await tellGateways(cluster);
}

/** From here on the database is like any other. */
export async function endMove({ maintenance }: Cluster, name: string): Promise<void> {
  await makeFleetSchema(maintenance);
  await maintenance.rows(
    "with ready as (delete from portolan_fleet.ready where name = $1) delete from portolan_fleet.moves where name = $1",
    [name],
  );
}

export async function moveStateOf({ maintenance }: Cluster, name: string): Promise<MoveState | undefined> {
  await makeFleetSchema(maintenance);
  const [row] = await maintenance.rows<{ state: MoveState }>("select state from portolan_fleet.moves where name = $1", [
    name,
  ]);
  return row?.state;
}

export async function isThere({ maintenance }: Cluster, name: string): Promise<boolean> {
  return (await maintenance.rows("select from pg_database where datname = $1", [name])).length > 0;
}

/** Lets gateways look now instead of within 5 s. */
export async function tellGateways({ maintenance }: Cluster): Promise<void> {
  const { FLEET_CHANNEL } = await import("../fleet/discovery.ts");
  await maintenance.rows(`notify ${FLEET_CHANNEL}`);
}

async function makeFleetSchema(maintenance: Connection): Promise<void> {
  for (const statement of FLEET_SCHEMA) await maintenance.rows(statement);
}

const FLEET_SCHEMA = [
  "create schema if not exists portolan_fleet",
  "create table if not exists portolan_fleet.frozen (name text primary key, since timestamptz not null default now())",
  "create table if not exists portolan_fleet.audit (id bigint generated always as identity primary key, at timestamptz not null default now(), event text not null, details jsonb not null)",
  "create table if not exists portolan_fleet.moves (name text primary key, state text not null check (state in ('arriving', 'left')), cluster text not null, at timestamptz not null default now())",
  "alter table portolan_fleet.moves add column if not exists roles text[] not null default '{}'",
  "create table if not exists portolan_fleet.ready (name text primary key, at timestamptz not null default now())",
  "grant usage on schema portolan_fleet to public",
  "grant select on portolan_fleet.frozen, portolan_fleet.moves, portolan_fleet.ready to public",
];

/** Throws `OperatorError` naming who is still connected. */
export async function untilLeft({ maintenance }: Cluster, name: string): Promise<void> {
  for (const end = performance.now() + LEAVE_MS; ; await sleep(100)) {
    const rows = await maintenance.rows<{ who: string }>(
      "select distinct coalesce(nullif(application_name, ''), usename, 'somebody') as who from pg_stat_activity where datname = $1 and coalesce(backend_type, 'client backend') = 'client backend'",
      [name],
    );
    if (rows.length === 0) return;
    if (performance.now() > end)
      throw new OperatorError(
        `${name} is in use by ${rows.map(({ who }) => who).join(", ")}: end these sessions, and try again`,
      );
  }
}

/** `statement` with the names in the places of %I. */
export async function run({ maintenance }: Cluster, statement: string, names: readonly string[]): Promise<void> {
  const { quoteIdentifier } = await import("../kernel/database/database.ts");
  let at = 0;
  await maintenance.rows(statement.replaceAll("%I", () => quoteIdentifier(names[at++] ?? "")));
}
