-- The rectangle (minx, miny, maxx, maxy) around another one in another coordinate reference system, or null where it has
-- none there. Its sides are transformed in many pieces, because a straight line here is not straight there. The gateway
-- calls it for maps, under the caller's role.
create or replace function portolan.transform_bounds(bounds float8[], from_srid integer, to_srid integer)
  returns float8[]
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result float8[];
begin
  execute format(
    $sql$
    select array[%1$I.st_xmin(b), %1$I.st_ymin(b), %1$I.st_xmax(b), %1$I.st_ymax(b)]
    from portolan.try_transform(%1$I.st_segmentize(
      %1$I.st_makeenvelope($1[1], $1[2], $1[3], $1[4], $2),
      nullif(greatest($1[3] - $1[1], $1[4] - $1[2]), 0) / 32), $3, %1$L) as b
    where b is not null
    $sql$, portolan.postgis_schema())
  into v_result using bounds, from_srid, to_srid;
  return v_result;
end
$$;
