-- A configuration as a list: kind, name and, where something can be set and removed separately (a privilege, a style), the
-- member, with its value.
create or replace function portolan.configuration_entries(configuration jsonb)
  returns table (kind text, name text, member text, value jsonb)
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select k.kind, e.key, '', e.value
  from unnest('{accounts,clients,rules,methods,rasters}'::text[] || array(select s.relation::text from portolan.saved_kinds() s)) k (kind),
    jsonb_each(coalesce(configuration -> k.kind, '{}')) e
  union all
  select 'tables', t.key, s.key, s.value
  from jsonb_each(coalesce(configuration -> 'tables', '{}')) t, jsonb_each(t.value) s
  where s.key not in ('privileges', 'column_privileges', 'workflow_roles', 'styles')
  union all
  select s.key, t.key, m.key, m.value
  from jsonb_each(coalesce(configuration -> 'tables', '{}')) t, jsonb_each(t.value) s, jsonb_each(s.value) m
  where s.key in ('privileges', 'column_privileges', 'workflow_roles', 'styles')
$$;
