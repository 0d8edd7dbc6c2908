/** Every SQL function of schema portolan, called with arguments that lead to an author's relation. */
import type pg from "pg";

/** By the name of the argument, then by its type. */
const BY_NAME: Readonly<Record<string, string>> = {
  account: "'eve'",
  at: "now()",
  column: "'n'",
  filter: `'{"t": {"eq": "a"}}'`,
  from_instant: "now() - interval '1 hour'",
  instant: "now()",
  key: "'1'",
  name: "'none'",
  privilege: "'write'",
  rows: `'[{"key": "1"}]'`,
  schema: "'app'",
  since: "now() - interval '1 hour'",
  table: "'TABLE'",
  to: "'drafted'",
  until: "now()",
  user: "'eve'",
  user_name: "'eve'",
};
const BY_TYPE: Readonly<Record<string, string>> = {
  bigint: "1",
  boolean: "true",
  double: "1",
  integer: "1",
  json: "'{}'",
  jsonb: "'{}'",
  name: "'n'",
  oid: "'app.TABLE'::regclass::oid",
  "oid[]": "array['app.TABLE'::regclass::oid]",
  regclass: "'app.TABLE'",
  "regclass[]": "array['app.TABLE'::regclass]",
  smallint: "1",
  text: "'app.TABLE'",
  "text[]": "'{app}'",
  "timestamp with time zone": "now()",
};

export interface Called {
  readonly name: string;
  /** Arguments of the table `TABLE`. */
  readonly text: string;
}

/** The functions that a role may call. Tables call functions of triggers. */
export async function functionsOf(client: pg.Client, role: string): Promise<Called[]> {
  const { rows } = await client.query<{ name: string; names: string[]; types: string[] }>(
    `
select p.proname::text as name,
  array(select coalesce(a.name, '') from unnest(p.proargnames) with ordinality a (name, at)
    where p.proargmodes is null or p.proargmodes[at] in ('i', 'b', 'v') order by at)::text[] as names,
  array(select format_type(t, null) from unnest(p.proargtypes::oid[]) with ordinality a (t, at) order by at) as types
from pg_proc p
where p.pronamespace = 'portolan'::regnamespace and p.prokind = 'f' and has_function_privilege($1, p.oid, 'execute')
  and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
order by 1`,
    [role],
  );
  return rows.map(({ name, names, types }) => ({
    name,
    text: `select * from portolan."${name}"(${types.map((type, at) => argument(names[at] ?? "", type)).join(", ")})`,
  }));
}

function argument(name: string, type: string): string {
  const isRelation = /^(regclass|oid)/.test(type);
  return `${(isRelation ? undefined : BY_NAME[name]) ?? BY_TYPE[type] ?? "null"}::${type}`;
}
