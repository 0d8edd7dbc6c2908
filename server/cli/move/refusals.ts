/** Finds, before anything is changed, the parts that logical replication cannot copy. */
import type { Connection } from "../../kernel/database/database.ts";
import { OperatorError } from "../../ground/errors.ts";
import { isKeyed, REPLICATED } from "./source.ts";

/** The first PostgreSQL that applies changes as the owner of a table instead of the owner of the subscription. */
const APPLIES_AS_OWNER = 16_0000;
/** One for the stream, and two for tables that are copied meanwhile. */
const SLOTS = 3;

export interface Sides {
  /** The database that moves. */
  readonly source: Connection;
  /** The maintenance database of the cluster that it moves to. */
  readonly target: Connection;
  readonly from: string;
  readonly to: string;
}

/** Throws `OperatorError` with each reason why the database cannot move, one a line. */
export async function refuseUnmovable(sides: Sides): Promise<void> {
  refuse([...(await ofClusters(sides)), ...(await ofContents(sides.source))]);
}

/** The same at the end of the copy, because no event trigger reports large objects or prepared transactions. */
export async function refuseUncopied(source: Connection): Promise<void> {
  refuse(await ofContents(source));
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new OperatorError(["the database cannot be moved:", ...reasons].join("\n  "));
}

interface Server {
  readonly system: string;
  readonly version: number;
  readonly superuser: boolean;
  readonly wal: string;
  readonly slots: number;
  readonly senders: number;
  readonly workers: number;
}

const SERVER = `
select (select c.system_identifier::text from pg_control_system() c) as system,
  current_setting('server_version_num')::integer as version,
  (select r.rolsuper from pg_roles r where r.rolname = current_user) as superuser,
  current_setting('wal_level') as wal,
  current_setting('max_replication_slots')::integer - (select count(*)::integer from pg_replication_slots) as slots,
  current_setting('max_wal_senders')::integer - (select count(*)::integer from pg_stat_replication) as senders,
  current_setting('max_logical_replication_workers')::integer as workers`;

async function ofClusters({ source, target, from, to }: Sides): Promise<readonly string[]> {
  const [here] = (await source.rows<Server>(SERVER)) as [Server];
  const [there] = (await target.rows<Server>(SERVER)) as [Server];
  const wants = (yes: boolean, reason: string): readonly string[] => (yes ? [] : [reason]);
  return [
    ...wants(here.system !== there.system, `${from} and ${to} are one cluster`),
    ...wants(
      here.superuser,
      `the owner URL of ${from} must be that of a super user, because only super users can read the passwords of roles`,
    ),
    ...wants(
      there.superuser,
      `the owner URL of ${to} must be that of a super user, because only super users can create a subscription`,
    ),
    ...wants(here.wal === "logical", `${from} has wal_level = ${here.wal}: set wal_level = logical, and restart it`),
    ...wants(here.slots >= SLOTS, `${from} has ${here.slots} free replication slots: raise max_replication_slots`),
    ...wants(here.senders >= SLOTS, `${from} has ${here.senders} free senders: raise max_wal_senders`),
    ...wants(there.workers > 0, `${to} has no workers for it: raise max_logical_replication_workers`),
    ...wants(
      Math.trunc(there.version / 10_000) >= Math.trunc(here.version / 10_000),
      `${to} has an older PostgreSQL than ${from}`,
    ),
    ...(await (there.version < APPLIES_AS_OWNER ? codeOfOthers : unwritable)(source, to)),
    ...(await missingExtensions(source, target, to)),
  ];
}

/**
 * Functions that a write of a row calls and whose owner is no superuser: an older PostgreSQL would run them as one. They
 * are reached from indexes, defaults, checks and triggers that fire for replicated rows, also through operators, the
 * types of columns, and other functions.
 */
async function codeOfOthers(source: Connection, to: string): Promise<readonly string[]> {
  const found = await source.rows<{ code: string; owner: string }>(`
with recursive reached (class, object) as (
  select d.refclassid, d.refobjid
  from pg_depend d
  where d.classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass)
    and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
  union
  select 'pg_proc'::regclass, t.tgfoid from pg_trigger t where t.tgenabled in ('A', 'R')
  union
  select d.refclassid, d.refobjid
  from reached r join pg_depend d on d.classid = r.class and d.objid = r.object
  where d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
)
select distinct p.oid::regprocedure::text as code, o.rolname as owner
from reached r
  join pg_proc p on p.oid = r.object
  join pg_roles o on o.oid = p.proowner
where r.class = 'pg_proc'::regclass and not o.rolsuper and p.pronamespace <> 'portolan'::regnamespace
order by 1`);
  return found.map(
    ({ code, owner }) =>
      `${to} has a PostgreSQL before 16, which would run ${code} of ${owner} as a super user, since writing a row of a table calls it`,
  );
}

/** Tables whose owner may not write them: PostgreSQL 16 and later write the rows as the owner. */
async function unwritable(source: Connection, to: string): Promise<readonly string[]> {
  const found = await source.rows<{ relation: string; missing: string }>(`
select distinct r.oid::regclass::text as relation, format('grant %s to %I', m.missing, o.rolname) as missing
from (${REPLICATED}) r
  join pg_class c on c.oid = r.oid
  join pg_roles o on o.oid = c.relowner
  cross join lateral (
    select format('usage on schema %s', c.relnamespace::regnamespace)
    where not has_schema_privilege(o.oid, c.relnamespace, 'usage')
    union all
    select format('all on %s', r.oid::regclass)
    from unnest('{select,insert,update,delete,truncate}'::text[]) p where not has_table_privilege(o.oid, r.oid, p)
  ) m (missing)
order by 1, 2`);
  return found.map(
    ({ relation, missing }) => `${to} would write the rows of ${relation} as its owner, who may not: ${missing}`,
  );
}

async function missingExtensions(source: Connection, target: Connection, to: string): Promise<readonly string[]> {
  const wanted = await source.rows<{ name: string }>("select extname as name from pg_extension order by 1");
  const there = new Set(
    (await target.rows<{ name: string }>("select name from pg_available_extensions")).map(({ name }) => name),
  );
  return wanted.filter(({ name }) => !there.has(name)).map(({ name }) => `${to} does not have the extension ${name}`);
}

const CONTENTS = `
select 'it has large objects, which are not copied: store them as bytea' as reason
where exists (select from pg_largeobject_metadata)
union all
select 'a transaction is prepared there: commit it, or roll it back'
where exists (select from pg_prepared_xacts x where x.database = current_database())
union all
select format('it has the subscription %I, which would be lost: drop it', s.subname)
from pg_subscription s where s.subdbid = (select d.oid from pg_database d where d.datname = current_database())
union all
select format('the trigger %I on %s fires for rows that are copied too, and would do its work twice: alter table %2$s enable trigger %1$I',
  t.tgname, t.tgrelid::regclass)
from pg_trigger t where t.tgenabled in ('A', 'R') and not t.tgisinternal
union all
select 'it is the coordinator of a Citus cluster' where to_regclass('pg_catalog.pg_dist_partition') is not null
union all
select format('%s has no key, and its column "%s" has a type without equality: give the table a key', c.oid::regclass, a.attname)
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace <> 'pg_catalog'::regnamespace
  and not ${isKeyed("c")}
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  and exists (
    select from pg_type t where t.oid = a.atttypid and t.typname in ('json', 'xml', 'point', 'circle', 'path', 'polygon', 'box', 'line', 'lseg'))
order by 1`;

async function ofContents(source: Connection): Promise<readonly string[]> {
  return (await source.rows<{ reason: string }>(CONTENTS)).map(({ reason }) => reason);
}
