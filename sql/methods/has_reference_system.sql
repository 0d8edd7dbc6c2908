-- Whether the database knows a coordinate reference system. True without PostGIS: no value can have one then.
create or replace function portolan.has_reference_system(srs integer) returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: the schema of PostGIS need not be open to the caller
as $$
declare
  v_schema text := portolan.postgis_schema();
  v_known boolean;
begin
  if v_schema is null then
    return true;
  end if;
  execute format('select exists (select from %I.spatial_ref_sys s where s.srid = $1)', v_schema) into v_known using srs;
  return v_known;
end
$$;
