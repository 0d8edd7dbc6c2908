-- Whether two geometries share a point. Where PostGIS cannot decide, as for an invalid one, whether their boxes do.
-- Statements of the OGC API call it when the plain test has failed, under the caller's role.
create or replace function portolan.try_intersects(geometry anyelement, other anyelement, postgis text) returns boolean
  language plpgsql stable parallel unsafe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result boolean;
begin
  execute format('select %1$I.st_intersects($1, $2)', postgis) into v_result using geometry, other;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    execute format('select $1 operator(%1$I.&&) $2', postgis) into v_result using geometry, other;
    return v_result;
end
$$;
