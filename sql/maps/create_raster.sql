-- Makes a collection of a GeoTIFF in the gateway's raster folder: a table of one row, whose privileges are the raster's, set
-- with set_privilege and set_authentication as for any other. Raises PX400 for an invalid path, PX404 without the schema,
-- PX409 when the name is taken, and 42501 where the owner of Portolan may not create in the schema.
create or replace function portolan.create_raster(schema_name text, table_name text, file text) returns regclass
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the table is the owner's
as $$
declare
  v_relation regclass;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_raster_file(file);
  -- only for the service's own schemas: the right to make a raster there gives no right on anything else
  if schema_name is null or schema_name <> all (portolan.shown_schemas())
    or not exists (select from pg_namespace n where n.nspname = schema_name)
  then
    raise exception 'there is no schema "%"', schema_name using errcode = 'PX404';
  end if;
  if table_name is null or table_name = '' or octet_length(table_name) > 63 then
    raise exception 'a table name must have 1 to 63 bytes' using errcode = 'PX400';
  end if;
  if to_regclass(format('%I.%I', schema_name, table_name)) is not null then
    raise exception '"%" exists in schema "%"', table_name, schema_name using errcode = 'PX409';
  end if;
  execute format('create table %I.%I (file text primary key)', schema_name, table_name);
  v_relation := format('%I.%I', schema_name, table_name)::regclass;
  execute format('insert into %s values (%L)', v_relation, file);
  insert into portolan.rasters (relation, file) values (v_relation, file);
  -- super users may see it at once
  execute format('grant select, insert, update, delete on %s to %I', v_relation, portolan.role_name('owner'));
  return v_relation;
end
$$;
