-- The grants that owner@ lacks on the given tables and views, without those of extensions. `relation`: what to lock before the
-- grant, null for a foreign table, which cannot be locked.
create or replace function portolan.missing_table_rights(tables oid[]) returns table (statement text, relation regclass)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner text := portolan.role_name('owner');
begin
  return query
  select format('grant select, insert, update, delete on table %s to %I', c.oid::regclass, v_owner),
    case when c.relkind in ('r', 'p') then c.oid::regclass end
  from pg_class c
  where c.oid = any (tables)
    and not (
      has_table_privilege(v_owner, c.oid, 'select') and has_table_privilege(v_owner, c.oid, 'insert')
      and has_table_privilege(v_owner, c.oid, 'update') and has_table_privilege(v_owner, c.oid, 'delete'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e');
end
$$;
