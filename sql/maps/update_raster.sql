-- Gives a raster another file. Raises PX400, PX404.
create or replace function portolan.update_raster(schema_name text, table_name text, file text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the table is the owner's
as $$
declare
  v_relation regclass := portolan.existing_raster(schema_name, table_name);
begin
  perform portolan.check_raster_file(file);
  execute format('update %s set file = %L', v_relation, file);
  update portolan.rasters r set file = update_raster.file where r.relation = v_relation;
end
$$;
