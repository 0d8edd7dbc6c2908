/** The databases of a cluster that is served whole (`postgres://…/*`): made, listed, frozen, removed. */
import type { Command } from "commander";
import { OperatorError, sqlstateOf } from "../ground/errors.ts";
import {
  asOwner,
  endMove,
  inEachCluster,
  isThere,
  knows,
  moveStateOf,
  mustExist,
  noneElseAt,
  note,
  run,
  setFrozen,
  untilLeft,
  withCluster,
  type Cluster,
  type ClusterOption,
} from "./cluster.ts";
import { print, printRows, type Row } from "./command.ts";
import { clusterName, missesAway } from "./databases.ts";
import type { MoveOptions } from "./move/move.ts";

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
  database.command("list").description("the databases of Portolan").option("--json", "as JSON").action(list);
  database
    .command("freeze <name>")
    .description("gateways leave the database within 5 s, and answer 503 for it")
    .option("--cluster <name>", CLUSTER)
    .option("--off", "serve it again")
    .action(freeze);
  database
    .command("move <name> <cluster>")
    .description(
      "move a database to another cluster while it is in use; writes are refused for some seconds at the end",
    )
    .option("--wait <seconds>", "how long to wait for open transactions, and for the copy to catch up; default 600")
    .action(async (name: string, cluster: string, options: MoveOptions) =>
      (await import("./move/move.ts")).move(name, cluster, options),
    );
  database
    .command("remove <name>")
    .description("drop a database, with all that is in it, and the roles of its accounts")
    .option("--cluster <name>", CLUSTER)
    .option("--yes", "confirm: without it nothing is dropped")
    .action(remove);
}

async function add(name: string, { template, cluster: wanted }: ClusterOption & { template?: string }): Promise<void> {
  const { MAX_NAME_BYTES } = await import("../fleet/discovery.ts");
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new OperatorError(
      `${name} is not a valid database name: use letters, digits, _ . and -, at most ${MAX_NAME_BYTES}`,
    );
  await refuseInOthers(name, wanted);
  await withCluster({ cluster: wanted }, async (cluster) => {
    await noneElseAt(cluster, name);
    if (await isHalfMade(cluster, name)) await run(cluster, "drop database %I", [name]);
    const make = async (): Promise<void> => {
      await refuseTaken(cluster, name);
      await setFrozen(cluster, name, true); // until it is complete
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

/** A name belongs to one database in all clusters. */
async function refuseInOthers(name: string, wanted: string | undefined): Promise<void> {
  await inEachCluster(async (cluster) => {
    const { pattern } = cluster;
    if (clusterName(pattern.name) !== wanted && wanted !== undefined && (await knows(cluster, name)))
      throw new OperatorError(`there is a database ${name} in the cluster ${clusterName(pattern.name)} already`);
  });
}

async function refuseTaken({ maintenance }: Cluster, name: string): Promise<void> {
  const taken = await maintenance.rows("select from pg_database where datname = $1", [name]);
  if (taken.length > 0) throw new OperatorError(`there is a database ${name} already`);
}

/**
 * Whether `add` was interrupted before the database had its roles: only such a database is frozen but not Portolan's
 * yet.
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

/** The recorded rights are restored in a copy, for the roles of its own accounts. */
async function noteRights({ pattern }: Cluster, name: string): Promise<void> {
  const { databaseOf } = await import("../fleet/discovery.ts");
  const { ownerUrl } = databaseOf(pattern, name);
  const [row] = await asOwner(ownerUrl, "select to_regprocedure('portolan.note_rights()') is not null as there");
  if (row?.["there"]) await asOwner(ownerUrl, "select portolan.note_rights()");
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
  }, missesAway);
  printRows(rows.flat(), json);
}

async function freeze(name: string, { off, cluster: wanted }: ClusterOption & { off?: boolean }): Promise<void> {
  await withCluster({ cluster: wanted, has: name }, async (cluster) => {
    await mustExist(cluster, name);
    const frozen = !off;
    const { databaseOf } = await import("../fleet/discovery.ts");
    await cluster.maintenance.rows("begin"); // no change without its audit entry
    const wasFrozen = await setFrozen(cluster, name, frozen);
    if (wasFrozen !== frozen)
      await note(databaseOf(cluster.pattern, name).ownerUrl, "database.changed", { frozen: wasFrozen }, { frozen });
    await cluster.maintenance.rows("commit");
  });
  print(off ? `${name} is served again within 5 s` : `${name} is frozen: gateways leave it within 5 s`);
}

async function remove(name: string, { yes, cluster: wanted }: ClusterOption & { yes?: boolean }): Promise<void> {
  if (!yes) throw new OperatorError(`this drops ${name} with all its data: confirm with --yes`);
  await withCluster({ cluster: wanted, has: name }, async (cluster) => {
    await noneElseAt(cluster, name);
    const roles = (await rolesOfDropped(cluster, name)) ?? (await drop(cluster, name));
    await cluster.maintenance.rows(REMOVED, [name, roles]);
    await endMove(cluster, name);
    for (const role of roles) await dropRole(cluster, role);
  });
  print(`${name} was removed`);
}

/** Returns the roles that are dropped with it. A database that has left for another cluster takes no connections. */
async function drop(cluster: Cluster, name: string): Promise<readonly string[]> {
  await refuseMoving(cluster, name);
  const isMoved = (await moveStateOf(cluster, name)) !== undefined;
  const isPart = isMoved || (await isHalfMade(cluster, name));
  if (!isPart) await mustExist(cluster, name);
  const roles = isMoved ? await rolesNamed(cluster, name) : isPart ? [] : await rolesOf(cluster, name);
  await setFrozen(cluster, name, true);
  await untilLeft(cluster, name);
  await run(cluster, "drop database %I", [name]);
  return roles;
}

/**
 * Throws `OperatorError` where a move was interrupted before the other cluster had everything: this database is then
 * the complete one, or the complete one waits for the end of the move.
 */
async function refuseMoving(cluster: Cluster, name: string): Promise<void> {
  const state = await moveStateOf(cluster, name);
  if (state === undefined) return;
  const own = clusterName(cluster.pattern.name);
  const others = await inEachCluster(async (other) => {
    if (other.pattern.name === cluster.pattern.name) return [];
    const isUnfinished =
      state === "left"
        ? (await moveStateOf(other, name)) === "arriving"
        : (await moveStateOf(other, name)) === "left" || (await isThere(other, name));
    return isUnfinished ? [clusterName(other.pattern.name)] : [];
  });
  const [other] = others.flat();
  if (other === undefined) return;
  const [from, to] = state === "left" ? [own, other] : [other, own];
  const remedy = `npx portolan database move ${name} ${to}, or ${from} to undo the move`;
  throw new OperatorError(`the move of ${name} from ${from} to ${to} was not finished: ${remedy}`);
}

/** The roles whose names say that they are of this database. */
async function rolesNamed({ maintenance }: Cluster, name: string): Promise<readonly string[]> {
  const rows = await maintenance.rows<{ role: string }>(
    "select r.rolname::text as role from pg_roles r where right(r.rolname, length($1) + 1) = '@' || $1 order by 1",
    [name],
  );
  return rows.map(({ role }) => role);
}

/** The rest of a database whose removal was interrupted: it is dropped, and still recorded as frozen. */
async function rolesOfDropped(cluster: Cluster, name: string): Promise<readonly string[] | undefined> {
  const dropped = await cluster.maintenance.rows(
    "select from portolan_fleet.frozen f where f.name = $1 and not exists (select from pg_database d where d.datname = $1)",
    [name],
  );
  return dropped.length > 0 ? rolesNamed(cluster, name) : undefined;
}

/** The audit of a database is dropped with it, so this entry is kept outside. */
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

/** Reports where another database has rights for the role, which then stays. */
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
