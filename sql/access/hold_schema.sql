-- The name of a schema, which keeps its meaning until the transaction ends, for a statement of the owner that names it; null
-- where Portolan cannot see to that: its owner, who may rename it, is no core owner, and only a superuser can lock it.
create or replace function portolan.hold_schema(schema oid) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name name;
begin
  select n.nspname into v_name from pg_namespace n where n.oid = schema and portolan.is_core_owner(n.nspowner);
  if not found then
    select n.nspname into v_name from pg_namespace n where n.oid = schema for share;
  end if;
  return v_name;
exception
  when insufficient_privilege or read_only_sql_transaction then
    return null;
end
$$;
