-- The schemas that the service shows when none are configured: those that hold a relation or a routine that belongs to no
-- extension, without the system's, Portolan's own and those of history.
create or replace function portolan.exposed_schemas() returns text[]
  language plpgsql stable -- not sql, which would plan it at each call, and it is asked all the time
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
  -- sets, each read once: a search for each schema would read the catalogue as often as there are schemas
  with members as materialized (
    select d.classid, d.objid from pg_depend d where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e')
  select coalesce(array_agg(n.nspname::text order by n.nspname), '{}')
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'portolan')
    and n.nspname not in (select h.name from portolan.history_schemas h)
    and n.oid not in (select m.objid from members m where m.classid = 'pg_namespace'::regclass)
    and (
      n.oid in (
        select c.relnamespace from pg_class c
        where c.oid >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and c.oid not in (select m.objid from members m where m.classid = 'pg_class'::regclass))
      or n.oid in (
        select p.pronamespace from pg_proc p
        where p.oid >= 16384
          and p.oid not in (select m.objid from members m where m.classid = 'pg_proc'::regclass))));
end
$$;
