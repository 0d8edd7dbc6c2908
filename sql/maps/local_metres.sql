-- The point (x, y) in another coordinate reference system, and how many metres on the ground a unit of its two axes is
-- there: {x, y, along x, along y}, or null where the point does not exist in that system. `step`: the length over which that
-- is measured, in units. The gateway calls it for maps, under the caller's role.
create or replace function portolan.local_metres(
  x float8, y float8, from_srid integer, to_srid integer, step float8
)
  returns float8[]
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result float8[];
begin
  execute format(
    $sql$
    select array[
      %1$I.st_x(p), %1$I.st_y(p),
      %1$I.st_distance(
        portolan.try_transform(%1$I.st_translate(p, -$5 / 2, 0), 4326, %1$L)::%1$I.geography,
        portolan.try_transform(%1$I.st_translate(p, $5 / 2, 0), 4326, %1$L)::%1$I.geography) / $5,
      %1$I.st_distance(
        portolan.try_transform(%1$I.st_translate(p, 0, -$5 / 2), 4326, %1$L)::%1$I.geography,
        portolan.try_transform(%1$I.st_translate(p, 0, $5 / 2), 4326, %1$L)::%1$I.geography) / $5]
    from portolan.try_transform(%1$I.st_setsrid(%1$I.st_makepoint($1, $2), $3), $4, %1$L) as p
    where p is not null
    $sql$, portolan.postgis_schema())
  into v_result using x, y, from_srid, to_srid, step;
  return v_result;
end
$$;
