-- The table or view of these names, for a caller who has a right to some of it; security invoker, since the caller's rights
-- decide. Raises PX404 where there is none or the caller has no right to it, 42501 or PX401 where a rule denies reading it.
create or replace function portolan.visible_relation(schema_name text, table_name text) returns regclass
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and has_schema_privilege(n.oid, 'usage')
    and has_any_column_privilege(c.oid, 'select, insert, update, references');
  if not found then
    raise exception 'there is no table or view "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  perform portolan.check_access(array[format('%I.%I', schema_name, table_name)], 'select');
  return v_relation;
end
$$;
