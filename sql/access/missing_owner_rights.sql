-- The grants that owner@ lacks on the schemas, their relations, sequences and routines, without those of extensions.
create or replace function portolan.missing_owner_rights(schemas text[]) returns table (statement text, relation regclass)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner text := portolan.role_name('owner');
  v_schemas oid[] := array(select n.oid from pg_namespace n where n.nspname = any (schemas));
begin
  return query
  -- create where Portolan may grant it: owner@ owns what super users make there
  select format('grant %s on schema %I to %I', w.privileges, n.nspname, v_owner), null::regclass
  from pg_namespace n
    cross join lateral (
      select string_agg(p.privilege, ', ' order by p.privilege desc) as privileges
      from (values ('usage'), ('create')) p (privilege)
      where not has_schema_privilege(v_owner, n.oid, p.privilege)
        and (p.privilege = 'usage' or pg_has_role(n.nspowner, 'usage'))
    ) w
  where n.nspname = any (schemas) and w.privileges is not null
  union all
  select t.statement, t.relation
  from portolan.missing_table_rights(array(
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas) and c.relkind in ('r', 'p', 'v', 'm', 'f'))) t
  union all
  select format('grant usage, select, update on sequence %s to %I', c.oid::regclass, v_owner), null::regclass
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any (schemas) and c.relkind = 'S'
    and not (has_sequence_privilege(v_owner, c.oid, 'usage') and has_sequence_privilege(v_owner, c.oid, 'update'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select format('grant execute on routine %s to %I', p.oid::regprocedure, v_owner), null::regclass
  from pg_proc p
  -- not asked of the thousands of functions of other schemas, which takes longer than everything else here
  where case when p.pronamespace = any (v_schemas) then not has_function_privilege(v_owner, p.oid, 'execute') end
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e');
end
$$;
