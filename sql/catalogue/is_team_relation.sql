-- Whether a relation belongs to a team: it is not the system's, Portolan's, an extension's or temporary, and no history.
-- Rules are for these, whether their schema is exposed or not.
create or replace function portolan.is_team_relation(relation oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = relation
      and n.nspname !~ '^pg_'
      and n.nspname not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = n.nspname)
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
$$;
