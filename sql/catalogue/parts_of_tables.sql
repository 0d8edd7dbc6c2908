-- The parts of tables other than columns: keys, indexes, triggers, row security and the policies that name no role
-- (team_rights has those that do), of all tables except the system's and those of extensions. A dump has them after the
-- data.
create or replace function portolan.parts_of_tables() returns table (relation text, part text)
  language sql stable
  set search_path = pg_catalog, pg_temp -- names come out qualified
as $$
  with tables as materialized (
    select c.oid, c.oid::regclass::text as name, c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm', 'f', 'v') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  )
  select t.name, 'row security' from tables t where t.relrowsecurity
  union all
  select t.name, format('policy %I', p.polname) from tables t join pg_policy p on p.polrelid = t.oid
  where p.polroles = '{0}'
  union all
  select t.name, format('trigger %I', g.tgname) from tables t join pg_trigger g on g.tgrelid = t.oid
  where not g.tgisinternal
  union all
  select t.name, format('constraint %I', c.conname) from tables t join pg_constraint c on c.conrelid = t.oid
  where c.contype in ('p', 'u', 'x', 'f')
  union all
  select t.name, format('index %I', i.relname)
  from tables t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
  where not exists (select from pg_constraint c where c.conindid = i.oid)
$$;
