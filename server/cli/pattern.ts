/** The databases of a cluster that is served whole (`postgres://…/*`): made, listed, frozen, removed. */
import type { Command } from "commander";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseConfig } from "../kernel/config.ts";
import type { Connection } from "../kernel/database/database.ts";
import { OperatorError, sqlstateOf } from "../ground/errors.ts";
import { print, printRows, type Row } from "./command.ts";
import { clusterName, readConfig } from "./databases.ts";

/** How long gateways may take to leave a database: they look every 5 s, and then end what goes on there. */
const LEAVE_MS = 30_000;
const CLUSTER = "the cluster, north for the pattern north/*, where there are several";
const DEPENDENT_OBJECTS_STILL_EXIST = "2BP01";

export function addPatternCommands(program: Command): void {
  const database = program.command("database").description("databases of a cluster that is served whole (…/*)");
  database
    .command("add <name>")
    .description("make a database and migrate it; gateways serve it within 5 s")
    .option("--cluster <name>", CLUSTER)
    .option("--template <name>", "a copy of this one, which is frozen meanwhile; default: template1")
    .action(add);
  database
    .command("list")
    .description("the databases that Portolan was migrated to")
    .option("--json", "as JSON")
    .action(list);
  database
    .command("freeze <name>")
    .description("gateways leave the database within 5 s, and answer 503 for it")
    .option("--cluster <name>", CLUSTER)
    .option("--off", "serve it again")
    .action(freeze);
  database
    .command("remove <name>")
    .description("drop a database, with all that is in it, and the roles of its accounts")
    .option("--cluster <name>", CLUSTER)
    .option("--yes", "confirm: without it nothing is dropped")
    .action(remove);
}

interface Cluster {
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

/** The clusters, one after the other. */
async function inEachCluster<T>(callback: (cluster: Cluster) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (const pattern of await allPatterns()) results.push(await withPattern(pattern, callback));
  return results;
}

/**
 * The cluster that `--cluster` names. Without it the only one, or with `has` the only one that has a database of this name, or
 * the rest of one. Throws `OperatorError`.
 */
async function withCluster<T>(
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

/** Whether the cluster has a database of this name, or the rest of one whose removal was interrupted. */
async function knows({ maintenance }: Cluster, name: string): Promise<boolean> {
  const [row] = await maintenance.rows<{ there: boolean; freezes: boolean }>(
    "select exists (select from pg_database where datname = $1) as there, to_regclass('portolan_fleet.frozen') is not null as freezes",
    [name],
  );
  if (row?.there || !row?.freezes) return row?.there ?? false;
  return (await maintenance.rows("select from portolan_fleet.frozen where name = $1", [name])).length > 0;
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

interface ClusterOption {
  readonly cluster?: string;
}

async function add(name: string, { template, cluster: wanted }: ClusterOption & { template?: string }): Promise<void> {
  const { MAX_NAME_BYTES } = await import("../fleet/discovery.ts");
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new OperatorError(`${name} is no name for a database: letters, digits, _ . and -, at most ${MAX_NAME_BYTES}`);
  await refuseInOthers(name, wanted);
  await withCluster({ cluster: wanted }, async (cluster) => {
    await noneElseAt(cluster, name);
    if (await isHalfMade(cluster, name)) await run(cluster, "drop database %I", [name]);
    const make = async (): Promise<void> => {
      await refuseTaken(cluster, name);
      await setFrozen(cluster, name, true); // until it is whole
      await run(cluster, "create database %I template %I", [name, template ?? "template1"]);
    };
    if (template === undefined) await make();
    else
      await whileFrozen(cluster, template, async () => {
        await noteRights(cluster, template);
        await make();
      });
    await migrateNew(cluster, name, template);
    await setFrozen(cluster, name, false);
  });
  print(`${name} was made`);
}

/** A name is that of one database in all clusters. */
async function refuseInOthers(name: string, wanted: string | undefined): Promise<void> {
  await inEachCluster(async (cluster) => {
    const { pattern } = cluster;
    if (clusterName(pattern.name) !== wanted && wanted !== undefined && (await knows(cluster, name)))
      throw new OperatorError(`there is a database ${name} in the cluster ${clusterName(pattern.name)} already`);
  });
}

/** Until the command ends; what it records has its place then. Throws `OperatorError`. */
async function noneElseAt({ maintenance }: Cluster, name: string): Promise<void> {
  await makeFleetSchema(maintenance);
  const [row] = await maintenance.rows<{ got: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('portolan database ' || $1, 0)) as got",
    [name],
  );
  if (!row?.got) throw new OperatorError(`somebody else makes or removes ${name} at the moment`);
}

async function refuseTaken({ maintenance }: Cluster, name: string): Promise<void> {
  const taken = await maintenance.rows("select from pg_database where datname = $1", [name]);
  if (taken.length > 0) throw new OperatorError(`there is a database ${name} already`);
}

/**
 * Whether `add` was interrupted before the database had its roles: only such a database is frozen and not yet Portolan's.
 */
async function isHalfMade({ maintenance }: Cluster, name: string): Promise<boolean> {
  const { IS_OURS } = await import("../fleet/discovery.ts");
  const found = await maintenance.rows(
    `
select from portolan_fleet.frozen f join pg_database d on d.datname = f.name
where f.name = $1 and not ${IS_OURS}`,
    [name],
  );
  return found.length > 0;
}

/** `template`: the original of the copy; its roles own nothing in the copy. */
async function migrateNew({ pattern }: Cluster, name: string, template: string | undefined): Promise<void> {
  const { databaseOf } = await import("../fleet/discovery.ts");
  const { makeClient } = await import("../kernel/database/database.ts");
  const { migrate } = await import("../operate/migrate.ts");
  const { url, ownerUrl, legacyClient } = databaseOf(pattern, name);
  const gatewayLogin = makeClient({ connectionString: url }).user;
  await migrate({ ownerUrl, gatewayLogin, repairRoles: template !== undefined, legacyClient });
  if (template !== undefined) await asOwner(ownerUrl, "select portolan.part_from($1)", [template]);
  await note(ownerUrl, "database.created", null, { template: template ?? "template1" });
}

/** In the audit of the database itself, where its super users see it. */
async function note(ownerUrl: string, event: string, before: Row | null, after: Row): Promise<void> {
  await asOwner(
    ownerUrl,
    `insert into portolan.audit (event, details)
     values ($1, jsonb_build_object(
       'database', current_database(), 'by', portolan.actor(), 'before', $2::jsonb, 'after', $3::jsonb))`,
    [event, before && JSON.stringify(before), JSON.stringify(after)],
  );
}

/** The recorded rights are restored in a copy, for the roles of its own accounts. */
async function noteRights({ pattern }: Cluster, name: string): Promise<void> {
  const { databaseOf } = await import("../fleet/discovery.ts");
  const { ownerUrl } = databaseOf(pattern, name);
  const [row] = await asOwner(ownerUrl, "select to_regprocedure('portolan.note_rights()') is not null as there");
  if (row?.["there"]) await asOwner(ownerUrl, "select portolan.note_rights()");
}

async function asOwner(ownerUrl: string, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const { connectTo } = await import("../kernel/database/database.ts");
  const connection = connectTo(ownerUrl);
  try {
    return await connection.rows<Row>(text, values);
  } finally {
    await connection.close();
  }
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const { findDatabases } = await import("../fleet/discovery.ts");
  const rows = await inEachCluster(async ({ pattern, maintenance }): Promise<Row[]> => {
    const found = await findDatabases((text) => maintenance.rows(text));
    const figures = await maintenance.rows<{ name: string; connections: number; bytes: string }>(
      `
select d.datname as name, pg_database_size(d.oid) as bytes,
  (select count(*)::integer from pg_stat_activity a where a.datid = d.oid) as connections
from pg_database d
where d.datname = any ($1)`,
      [found.map(({ name }) => name)],
    );
    const byName = new Map(figures.map((row) => [row.name, row]));
    return found.map(({ name, frozen }) => ({
      name,
      ...(pattern.name !== "*" && { cluster: clusterName(pattern.name) }),
      frozen,
      connections: byName.get(name)?.connections ?? 0,
      megabytes: Math.round(Number(byName.get(name)?.bytes ?? 0) / 1_000_000),
    }));
  });
  printRows(rows.flat(), json);
}

async function freeze(name: string, { off, cluster: wanted }: ClusterOption & { off?: boolean }): Promise<void> {
  await withCluster({ cluster: wanted, has: name }, async (cluster) => {
    await mustExist(cluster, name);
    const frozen = !off;
    const { databaseOf } = await import("../fleet/discovery.ts");
    await cluster.maintenance.rows("begin"); // no change without its entry
    const wasFrozen = await setFrozen(cluster, name, frozen);
    if (wasFrozen !== frozen)
      await note(databaseOf(cluster.pattern, name).ownerUrl, "database.changed", { frozen: wasFrozen }, { frozen });
    await cluster.maintenance.rows("commit");
  });
  print(off ? `${name} is served again within 5 s` : `${name} is frozen: gateways leave it within 5 s`);
}

async function remove(name: string, { yes, cluster: wanted }: ClusterOption & { yes?: boolean }): Promise<void> {
  if (!yes) throw new OperatorError(`this drops ${name} with all that is in it: say --yes`);
  await withCluster({ cluster: wanted, has: name }, async (cluster) => {
    await noneElseAt(cluster, name);
    const roles = (await rolesOfDropped(cluster, name)) ?? (await drop(cluster, name));
    await cluster.maintenance.rows(REMOVED, [name, roles]);
    for (const role of roles) await dropRole(cluster, role);
  });
  print(`${name} was removed`);
}

/** Gives the roles that go with it. */
async function drop(cluster: Cluster, name: string): Promise<readonly string[]> {
  const isHalf = await isHalfMade(cluster, name);
  if (!isHalf) await mustExist(cluster, name);
  const roles = isHalf ? [] : await rolesOf(cluster, name);
  await setFrozen(cluster, name, true);
  await untilLeft(cluster, name);
  await run(cluster, "drop database %I", [name]);
  return roles;
}

/** The rest of a database whose removal was interrupted: it is dropped, and still recorded as frozen. */
async function rolesOfDropped({ maintenance }: Cluster, name: string): Promise<readonly string[] | undefined> {
  const [dropped] = await maintenance.rows<{ roles: string[] }>(
    `
select array(select r.rolname::text from pg_roles r where right(r.rolname, length($1) + 1) = '@' || $1) as roles
from portolan_fleet.frozen f
where f.name = $1 and not exists (select from pg_database d where d.datname = $1)`,
    [name],
  );
  return dropped?.roles;
}

/** The audit of a database goes with it: this entry alone is kept beside it. */
const REMOVED = `
with gone as (delete from portolan_fleet.frozen where name = $1)
insert into portolan_fleet.audit (event, details)
values ('database.removed', jsonb_build_object('database', $1::text, 'by', session_user, 'before', jsonb_build_object('roles', $2::text[]), 'after', null))`;

/** The audit of removed databases of this name, latest first, in the form of `portolan.list_audit`. */
export async function auditOfRemoved(name: string): Promise<readonly Row[]> {
  if ((await inEachCluster((cluster) => knows(cluster, name))).some(Boolean)) return [];
  const found = await inEachCluster(async ({ maintenance }) => {
    const [kept] = await maintenance.rows<{ there: boolean }>(
      "select to_regclass('portolan_fleet.audit') is not null as there",
    );
    if (!kept?.there) return [];
    const rows = await maintenance.rows<{ entry: Row }>(
      `
select json_build_object(
  'id', id, 'at', at, 'event', event, 'account', null, 'client_id', null, 'address', null, 'details', details) as entry
from portolan_fleet.audit
where details ->> 'database' = $1 and not exists (select from pg_database d where d.datname = $1)
order by id desc`,
      [name],
    );
    return rows.map(({ entry }) => entry);
  });
  return found.flat();
}

/** Says where another database has rights for the role, which then stays. */
async function dropRole(cluster: Cluster, role: string): Promise<void> {
  try {
    await run(cluster, "drop role if exists %I", [role]);
  } catch (error) {
    if (sqlstateOf(error) !== DEPENDENT_OBJECTS_STILL_EXIST) throw error;
    print(`the role ${role} stays, since something depends on it: ${(error as { detail?: string }).detail}`);
  }
}

/** The roles that Portolan has made: of accounts, `owner@`, the runner and the pool. */
async function rolesOf({ pattern }: Cluster, name: string): Promise<readonly string[]> {
  const { databaseOf } = await import("../fleet/discovery.ts");
  const rows = await asOwner(
    databaseOf(pattern, name).ownerUrl,
    `
select u.role from portolan.users u where u.role_made
union all select portolan.role_name('owner')
union all select l.role from portolan.logins l where l.kind in ('pool', 'runner') and to_regrole(quote_ident(l.role)) is not null`,
  );
  return rows.map(({ role }) => String(role));
}

async function mustExist({ maintenance }: Cluster, name: string): Promise<void> {
  const { findDatabases } = await import("../fleet/discovery.ts");
  const found = await findDatabases((text) => maintenance.rows(text));
  if (!found.some((one) => one.name === name)) throw new OperatorError(`there is no database ${name} of Portolan`);
}

/** Freezes it for as long as `callback` takes, unless it is frozen already. */
async function whileFrozen(cluster: Cluster, name: string, callback: () => Promise<unknown>): Promise<void> {
  const wasFrozen = await setFrozen(cluster, name, true);
  try {
    await untilLeft(cluster, name);
    await callback();
  } finally {
    if (!wasFrozen) await setFrozen(cluster, name, false);
  }
}

/** Gives whether it was so before. */
async function setFrozen({ maintenance }: Cluster, name: string, frozen: boolean): Promise<boolean> {
  await makeFleetSchema(maintenance);
  const before = await maintenance.rows("select from portolan_fleet.frozen where name = $1", [name]);
  const change = frozen
    ? "insert into portolan_fleet.frozen (name) values ($1) on conflict do nothing"
    : "delete from portolan_fleet.frozen where name = $1";
  await maintenance.rows(change, [name]);
  return before.length > 0;
}

async function makeFleetSchema(maintenance: Connection): Promise<void> {
  for (const statement of FLEET_SCHEMA) await maintenance.rows(statement);
}

const FLEET_SCHEMA = [
  "create schema if not exists portolan_fleet",
  "create table if not exists portolan_fleet.frozen (name text primary key, since timestamptz not null default now())",
  "create table if not exists portolan_fleet.audit (id bigint generated always as identity primary key, at timestamptz not null default now(), event text not null, details jsonb not null)",
  "grant usage on schema portolan_fleet to public",
  "grant select on portolan_fleet.frozen to public",
];

/** Throws `OperatorError` naming who is still connected. */
async function untilLeft({ maintenance }: Cluster, name: string): Promise<void> {
  for (const end = performance.now() + LEAVE_MS; ; await sleep(100)) {
    const rows = await maintenance.rows<{ who: string }>(
      "select distinct coalesce(nullif(application_name, ''), usename, 'somebody') as who from pg_stat_activity where datname = $1 and coalesce(backend_type, 'client backend') = 'client backend'",
      [name],
    );
    if (rows.length === 0) return;
    if (performance.now() > end)
      throw new OperatorError(`${name} is in use by ${rows.map(({ who }) => who).join(", ")}: end that, and try again`);
  }
}

/** `statement` with the names in the places of %I. */
async function run({ maintenance }: Cluster, statement: string, names: readonly string[]): Promise<void> {
  const { quoteIdentifier } = await import("../kernel/database/database.ts");
  let at = 0;
  await maintenance.rows(statement.replaceAll("%I", () => quoteIdentifier(names[at++] ?? "")));
}
