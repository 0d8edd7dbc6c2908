/** Whether a role can see anything in a schema, and which columns it cannot select. */
import type { LRUCache } from "lru-cache";
import { columnText, type HiddenColumns } from "../../plugins/tables/hiddenColumns.ts";
import type { DatabaseName } from "../../plugins/tables/resources.ts";
import type { Database } from "../kernel/database/database.ts";
import { roleGone, sqlstateOf } from "../ground/errors.ts";
import { mostRecent } from "../ground/mostRecent.ts";

/** A schema, and at least one table or function of it that GraphQL would show. */
const MAY_USE = `
select has_schema_privilege($1::name, n.oid, 'usage') and (
  exists (
    select from pg_class c
    where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and (has_table_privilege($1::name, c.oid, 'select, insert, update, delete')
        or has_any_column_privilege($1::name, c.oid, 'select, insert, update'))
  ) or exists (
    select from pg_proc p
    where p.pronamespace = n.oid and p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and has_function_privilege($1::name, p.oid, 'execute')
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
) as may_use
from pg_namespace n where n.nspname = $2`;

/** How long an answer is kept, counted from the answer or from the last poll that would have shown a change. */
const REMEMBER_MS = 5000;
/** SQLSTATE for a role that is not there. */
const UNDEFINED_OBJECT = "42704";

interface Known {
  readonly answer: Promise<boolean>;
  /** `performance.now()`. */
  readonly askedAtMs: number;
  /** The version of the database's memory, which changes with rights, roles and memberships. */
  readonly version: number;
}

/** Answers about the roles of one database, the 10,000 that were used last; dropped after DDL. */
export type Access = LRUCache<string, Known>;

export function newAccess(): Access {
  return mostRecent(10_000);
}

/** Whether the role has USAGE on the schema and a privilege on anything in it. */
export function mayUse(database: Database, cache: Access, role: string, schema: string): Promise<boolean> {
  const key = JSON.stringify([role, schema]);
  const { version, seenAtMs } = database.memory;
  const known = cache.get(key);
  const nowMs = performance.now();
  if (known?.version === version && nowMs - Math.max(known.askedAtMs, seenAtMs) < REMEMBER_MS) return known.answer;
  const answer = ask(database, role, schema);
  cache.set(key, { answer, askedAtMs: nowMs, version });
  answer.catch(() => cache.delete(key)); // the caller gets the error
  return answer;
}

async function ask(database: Database, role: string, schema: string): Promise<boolean> {
  try {
    const rows = await database.db.any<{ may_use: boolean }>(MAY_USE, [role, schema]);
    return rows[0]?.may_use ?? false;
  } catch (error) {
    if (sqlstateOf(error) === UNDEFINED_OBJECT) return false;
    throw error;
  }
}

/** Throws `UNAUTHENTICATED` where the caller's role no longer exists. */
export async function ofRole<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw sqlstateOf(error) === UNDEFINED_OBJECT ? roleGone(error) : error;
  }
}

const HIDDEN = `
select n.nspname as schema, c.relname as name, a.attname as column
from pg_namespace n
join pg_class c on c.relnamespace = n.oid
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where (n.nspname, c.relname) in (select * from unnest($2::text[], $3::text[]))
  and has_schema_privilege($1::name, n.oid, 'usage') and has_any_column_privilege($1::name, c.oid, 'select')
  and not has_column_privilege($1::name, c.oid, a.attnum, 'select')`;

/** The columns of these relations that the role may not select, where it may select other columns of the relation. */
export async function hiddenColumns(
  database: Database,
  role: string,
  relations: readonly DatabaseName[],
): Promise<HiddenColumns> {
  const names = [relations.map(({ schema }) => schema), relations.map(({ name }) => name)];
  const rows = await ofRole(database.db.any<DatabaseName & { column: string }>(HIDDEN, [role, ...names]));
  return new Set(rows.map((row) => columnText(row, row.column)));
}
