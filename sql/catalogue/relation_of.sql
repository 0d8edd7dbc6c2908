-- The table or view of these names. Raises PX404, and PX400 for a relation that is not a team's.
create or replace function portolan.relation_of(schema_name text, table_name text) returns regclass
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: check_relation is the owner's
as $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name and c.relkind in ('r', 'p', 'v', 'm', 'f');
  if not found then
    raise exception 'there is no table or view "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  perform portolan.check_relation(v_relation);
  return v_relation;
end
$$;
