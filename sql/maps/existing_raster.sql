-- The table of a raster. Raises PX404.
create or replace function portolan.existing_raster(schema_name text, table_name text) returns regclass
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from portolan.rasters r join pg_class c on c.oid = r.relation join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name;
  if not found then
    raise exception 'there is no raster "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  return v_relation;
end
$$;
