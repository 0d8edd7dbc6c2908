/** The roles of a database: its accounts, and the owners and grantees of what it holds. */
import type { Connection } from "../../kernel/database/database.ts";
import { OperatorError } from "../../ground/errors.ts";

interface Statements {
  readonly role: string;
  readonly superuser: boolean;
  /** Makes the role with its attributes, its password and its settings. */
  readonly make: readonly string[];
  /** Makes it a member of its groups. */
  readonly join: readonly { readonly group: string; readonly statement: string }[];
}

/** Settings whose value is a list already, and no text. */
const LISTS = ["search_path", "temp_tablespaces", "session_preload_libraries", "local_preload_libraries"];

/** Asked of the database that moves, as a super user. */
const ROLES = `
with recursive needed (role) as (
  select d.refobjid from pg_shdepend d
  where d.refclassid = 'pg_authid'::regclass and d.dbid = (select oid from pg_database where datname = current_database())
  union select b.datdba from pg_database b where b.datname = current_database()
  union select r.oid from portolan.users u join pg_roles r on r.rolname = u.role
  union select m.roleid from needed n join pg_auth_members m on m.member = n.role
)
select r.rolname as role, r.rolsuper as superuser,
  array[format('create role %I %s', r.rolname, concat_ws(' ',
    case when r.rolinherit then 'inherit' else 'noinherit' end,
    case when r.rolcanlogin then 'login' else 'nologin' end,
    case when r.rolcreaterole then 'createrole' end,
    case when r.rolcreatedb then 'createdb' end,
    case when r.rolreplication then 'replication' end,
    case when r.rolbypassrls then 'bypassrls' end,
    'connection limit ' || r.rolconnlimit,
    case when r.rolpassword is not null then format('password %L', r.rolpassword) end,
    case when r.rolvaliduntil is not null then format('valid until %L', r.rolvaliduntil) end))]
  || array(
    select format('alter role %I set %I to %s', r.rolname, split_part(s, '=', 1),
      case when split_part(s, '=', 1) = any ($1) then substr(s, strpos(s, '=') + 1)
        else quote_literal(substr(s, strpos(s, '=') + 1)) end)
    from pg_db_role_setting t cross join unnest(t.setconfig) s
    where t.setrole = r.oid and t.setdatabase = 0) as make,
  array(
    select json_build_object('group', g.rolname, 'statement', format('grant %I to %I%s', g.rolname, r.rolname,
      case when m.admin_option then ' with admin option' else '' end))
    from pg_auth_members m join pg_roles g on g.oid = m.roleid
    where m.member = r.oid) as join
from needed n join pg_authid r on r.oid = n.role
where r.rolname !~ '^pg_'
order by 1`;

/**
 * Makes in `target` the roles of `source` that are missing there, with their passwords, and their memberships. Roles that are
 * there stay as they are. Gives the names of the new ones. Throws `OperatorError` where a super user is missing.
 */
export async function makeRoles(source: Connection, target: Connection): Promise<readonly string[]> {
  const wanted = await source.rows<Statements>(ROLES, [LISTS]);
  const names = new Set(
    (await target.rows<{ name: string }>("select rolname as name from pg_roles")).map(({ name }) => name),
  );
  const missing = wanted.filter(({ role }) => !names.has(role));
  const superusers = missing.filter(({ superuser }) => superuser);
  if (superusers.length > 0)
    throw new OperatorError(
      `make these super users in the other cluster first, since something here is theirs: ${superusers.map(({ role }) => role).join(", ")}`,
    );
  for (const { make } of missing) for (const statement of make) await target.rows(statement);
  for (const { join } of missing)
    for (const { group, statement } of join)
      if (names.has(group) || missing.some(({ role }) => role === group)) await target.rows(statement);
  return missing.map(({ role }) => role);
}
