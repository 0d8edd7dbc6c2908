-- Removes a raster and its table; the file stays. Raises PX404.
create or replace function portolan.drop_raster(schema_name text, table_name text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the table is the owner's
as $$
declare
  v_relation regclass := portolan.existing_raster(schema_name, table_name);
begin
  delete from portolan.rasters r where r.relation = v_relation;
  execute format('drop table %s', v_relation);
end
$$;
