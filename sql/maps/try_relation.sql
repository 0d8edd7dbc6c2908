-- The result of a spatial relation of PostGIS (`st_within` …) of two geometries, or NULL where PostGIS cannot decide:
-- for an answer that has begun already. Statements of the OGC API call it under the caller's role.
create or replace function portolan.try_relation(
  relation text, geometry anyelement, other anyelement, postgis text
)
  returns boolean
  language plpgsql stable parallel unsafe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result boolean;
begin
  execute format('select %1$I.%2$I($1, $2)', postgis, relation) into v_result using geometry, other;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
end
$$;
