-- The schemas that the service shows when none are configured: those that hold a relation or a routine that belongs to no
-- extension, without the system's, Portolan's own and those of history.
create or replace function portolan.exposed_schemas() returns text[]
  language plpgsql stable -- not sql, which would plan it at each call, and it is asked all the time
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
  select coalesce(array_agg(n.nspname::text order by n.nspname), '{}')
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'portolan')
    and not exists (select from portolan.history_schemas h where h.name = n.nspname)
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e')
    and (
      exists (
        select from pg_class c
        where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (
          select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
      or exists (
        select from pg_proc p
        where p.pronamespace = n.oid and not exists (
          select from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'))));
end
$$;
