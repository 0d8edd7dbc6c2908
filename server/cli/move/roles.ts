/** The roles of a database: its accounts, and the owners and grantees of what it holds. */
import { quoteIdentifier, type Connection } from "../../kernel/database/database.ts";
import { OperatorError } from "../../ground/errors.ts";

interface Role {
  readonly role: string;
  readonly superuser: boolean;
  /** Its attributes and its password, as `create role` and `alter role` take them. */
  readonly attributes: string;
  /** Statements that make its settings, and its memberships. */
  readonly settings: readonly string[];
  readonly memberships: readonly { readonly group: string; readonly statement: string }[];
}

/** Settings whose value is a list already, and no text. */
const LISTS = ["search_path", "temp_tablespaces", "session_preload_libraries", "local_preload_libraries"];

/** In the database that moves: the roles that it needs. */
const NEEDED = `
with recursive needed (role) as (
  select d.refobjid from pg_shdepend d
  where d.refclassid = 'pg_authid'::regclass and d.dbid = (select oid from pg_database where datname = current_database())
  union select b.datdba from pg_database b where b.datname = current_database()
  union select r.oid from portolan.users u join pg_roles r on r.rolname = u.role
  union select m.roleid from needed n join pg_auth_members m on m.member = n.role
)`;
/** The roles of these names. */
const NAMED = "with needed (role) as (select r.oid from pg_roles r where r.rolname = any ($2::text[]))";

/** Asked as a super user. */
const ROLES = `
select r.rolname as role, r.rolsuper as superuser,
  concat_ws(' ',
    case when r.rolinherit then 'inherit' else 'noinherit' end,
    case when r.rolcanlogin then 'login' else 'nologin' end,
    case when r.rolcreaterole then 'createrole' else 'nocreaterole' end,
    case when r.rolcreatedb then 'createdb' else 'nocreatedb' end,
    case when r.rolreplication then 'replication' else 'noreplication' end,
    case when r.rolbypassrls then 'bypassrls' else 'nobypassrls' end,
    'connection limit ' || r.rolconnlimit,
    'password ' || coalesce(quote_literal(r.rolpassword), 'null'),
    format('valid until %L', coalesce(r.rolvaliduntil, 'infinity'))) as attributes,
  array(
    select format('alter role %I set %I to %s', r.rolname, split_part(s, '=', 1),
      case when split_part(s, '=', 1) = any ($1::text[]) then substr(s, strpos(s, '=') + 1)
        else quote_literal(substr(s, strpos(s, '=') + 1)) end)
    from pg_db_role_setting t cross join unnest(t.setconfig) s
    where t.setrole = r.oid and t.setdatabase = 0
    order by 1) as settings,
  array(
    select json_build_object('group', g.rolname, 'statement', format('grant %I to %I%s', g.rolname, r.rolname,
      -- since PostgreSQL 16 a grant says what it gives, and before it the member does
      coalesce(
        format(' with admin %s, ', bool_or(m.admin_option)::text)
          || 'inherit ' || bool_or((to_jsonb(m) ->> 'inherit_option')::boolean)::text
          || ', set ' || bool_or((to_jsonb(m) ->> 'set_option')::boolean)::text,
        case when bool_or(m.admin_option) then ' with admin option' end)))
    from pg_auth_members m join pg_roles g on g.oid = m.roleid
    where m.member = r.oid
    group by g.rolname) as memberships
from needed n join pg_authid r on r.oid = n.role
where r.rolname !~ '^pg_'
order by 1`;

export interface RolesOptions {
  /** The database that moves: roles `…@database` are its own. */
  readonly database: string;
  readonly source: Connection;
  /** The maintenance database of the cluster that it moves to. */
  readonly target: Connection;
  /** The roles that this move has made there. */
  readonly made: readonly string[];
  /** Called before new roles are made. */
  readonly remember: (roles: readonly string[]) => Promise<void>;
}

/**
 * Makes in the target the roles of the source that are missing there, with their passwords and memberships. The roles
 * of the database itself, and those that the move has made, are updated to match the source; other existing roles do
 * not change. Throws `OperatorError` where a super user is missing.
 */
export async function makeRoles({ database, source, target, made, remember }: RolesOptions): Promise<void> {
  const wanted = await source.rows<Role>(NEEDED + ROLES, [LISTS]);
  const names = wanted.map(({ role }) => role);
  const there = new Map((await target.rows<Role>(NAMED + ROLES, [LISTS, names])).map((one) => [one.role, one]));
  const missing = wanted.filter(({ role }) => !there.has(role));
  const superusers = missing.filter(({ superuser }) => superuser);
  if (superusers.length > 0)
    throw new OperatorError(
      `create these super users in the other cluster first, because they own objects here: ${superusers.map(({ role }) => role).join(", ")}`,
    );
  const isOurs = (role: string): boolean => made.includes(role) || role.endsWith(`@${database}`);
  const altered = wanted.filter(({ role, superuser }) => there.has(role) && !superuser && isOurs(role));
  const statements = [
    ...missing.flatMap(({ role, attributes, settings }) => [
      `create role ${quoteIdentifier(role)} ${attributes}`,
      ...settings,
    ]),
    ...altered.flatMap((one) => alterations(one, there.get(one.role)!)),
  ];
  await remember(missing.map(({ role }) => role));
  for (const statement of statements) await target.rows(statement);
  const groups = await existing(
    target,
    [...missing, ...altered].flatMap((one) => groupsOf(one)),
  );
  for (const one of [...missing, ...altered]) {
    const before = there.get(one.role);
    for (const { group, statement } of one.memberships)
      if (groups.has(group) && !before?.memberships.some((known) => known.statement === statement))
        await target.rows(statement);
    for (const group of before ? groupsOf(before) : [])
      if (!groupsOf(one).includes(group))
        await target.rows(`revoke ${quoteIdentifier(group)} from ${quoteIdentifier(one.role)}`);
  }
}

function groupsOf({ memberships }: Role): readonly string[] {
  return memberships.map(({ group }) => group);
}

function alterations(wanted: Role, there: Role): readonly string[] {
  const role = quoteIdentifier(wanted.role);
  const isSame = JSON.stringify(wanted.settings) === JSON.stringify(there.settings);
  return [
    ...(wanted.attributes === there.attributes ? [] : [`alter role ${role} ${wanted.attributes}`]),
    ...(isSame ? [] : [`alter role ${role} reset all`, ...wanted.settings]),
  ];
}

/** Those of these roles that exist. */
async function existing(connection: Connection, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await connection.rows<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any ($1::text[])",
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Drops there the roles of accounts that were removed in the source during the move. `there`: the moved database. */
export async function dropGone({ source, made }: RolesOptions, there: Connection): Promise<void> {
  const left = await existing(source, made);
  for (const role of made.filter((name) => !left.has(name)))
    for (const statement of ["drop owned by", "drop role"]) await there.rows(`${statement} ${quoteIdentifier(role)}`);
}
