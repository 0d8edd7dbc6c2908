/** Objects of a schema other than tables, with the SQL that makes them, for reading and copying. */
import { queryOptions } from "@tanstack/react-query";
import { ask, json } from "../http/ask.ts";

export interface Definition {
  readonly kind: "function" | "view" | "trigger" | "policy";
  readonly name: string;
  /** The relation of a trigger or policy; undefined for a function. */
  readonly table: string | null;
  readonly sql: string;
}

/** The definitions, without objects of extensions. An aggregate has no text. */
const DEFINITIONS = `
select 'function' as kind, format('%s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as name, null as table,
  pg_get_functiondef(p.oid) as sql
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname = :schema and p.prokind <> 'a' and not exists (
  select from pg_catalog.pg_depend d
  where d.classid = cast('pg_catalog.pg_proc' as regclass) and d.objid = p.oid and d.deptype = 'e')
union all
select 'view', c.relname, c.relname, format(
  E'create %s view %I.%I as\\n%s', case c.relkind when 'm' then 'materialized' else 'or replace' end, n.nspname, c.relname,
  pg_get_viewdef(c.oid, true))
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema and c.relkind in ('v', 'm')
union all
select 'trigger', t.tgname, c.relname, pg_get_triggerdef(t.oid, true) || ';'
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema and not t.tgisinternal
union all
select 'policy', p.polname, c.relname, format(
  'create policy %I on %I.%I as %s for %s to %s', p.polname, n.nspname, c.relname,
  case when p.polpermissive then 'permissive' else 'restrictive' end,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
  (select string_agg(case when r = 0 then 'public' else cast(cast(r as regrole) as text) end, ', ') from unnest(p.polroles) r))
  || coalesce(E'\\n  using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
  || coalesce(E'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') || ';'
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema
order by 1, 3, 2`;

export const definitionsOf = (schema: string) =>
  queryOptions({
    queryKey: ["definitions", schema],
    queryFn: async ({ signal }): Promise<readonly Definition[]> => {
      const response = await ask("/api/v4/sql", { ...json({ q: DEFINITIONS, params: { schema } }), signal });
      return ((await response.json()) as { data: readonly Definition[] }).data;
    },
  });
