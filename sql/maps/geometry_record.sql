-- A geometry or geography in a row as jsonb: GeoJSON in its own coordinate reference system, as to_jsonb makes it, or
-- EWKT where GeoJSON cannot express it (arcs, coordinates that are not numbers). readable_record calls it.
create or replace function portolan.geometry_record(geometry anyelement, postgis text) returns jsonb
  language plpgsql stable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ewkt text;
begin
  return to_jsonb(geometry);
exception
  -- PostGIS has no other code for a geometry that it cannot write
  when internal_error or data_exception then
    execute format('select %I.st_asewkt($1)', postgis) into v_ewkt using geometry;
    return to_jsonb(v_ewkt);
end
$$;
