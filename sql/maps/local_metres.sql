-- The point (x, y) in another coordinate reference system, and how many metres of the world a unit of its two axes is there:
-- {x, y, along x, along y}, or null where it has no such point. `step`: the length over which that is measured, in units.
-- Called by the gateway for maps (ogc/mapFrame.ts), under the caller's role.
create or replace function portolan.local_metres(
  x float8, y float8, from_srid integer, to_srid integer, step float8
)
  returns float8[]
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_postgis text;
  v_result float8[];
begin
  select n.nspname into v_postgis
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'postgis';
  execute format(
    $sql$
    select array[
      %1$I.st_x(p), %1$I.st_y(p),
      %1$I.st_distance(
        %1$I.st_transform(%1$I.st_translate(p, -$5 / 2, 0), 4326)::%1$I.geography,
        %1$I.st_transform(%1$I.st_translate(p, $5 / 2, 0), 4326)::%1$I.geography) / $5,
      %1$I.st_distance(
        %1$I.st_transform(%1$I.st_translate(p, 0, -$5 / 2), 4326)::%1$I.geography,
        %1$I.st_transform(%1$I.st_translate(p, 0, $5 / 2), 4326)::%1$I.geography) / $5]
    from %1$I.st_transform(%1$I.st_setsrid(%1$I.st_makepoint($1, $2), $3), $4) as p
    $sql$, v_postgis)
  into v_result using x, y, from_srid, to_srid, step;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
end
$$;

comment on function portolan.local_metres(float8, float8, integer, integer, float8) is
  'A point in another coordinate reference system, and how many metres a unit of it is there.';

grant execute on function portolan.local_metres(float8, float8, integer, integer, float8) to public;
