-- A geometry in another coordinate reference system, or NULL where that is impossible: for the few rows that fail, when a
-- statement has met one. Statements of the OGC API call it under the caller's role.
create or replace function portolan.try_transform(geometry anyelement, srid integer, postgis text) returns anyelement
  language plpgsql stable parallel unsafe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result geometry%type;
begin
  execute format('select %1$I.st_transform($1, $2)', postgis) into v_result using geometry, srid;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
end
$$;
