-- The rectangle (minx, miny, maxx, maxy) around another one in another coordinate reference system, or null where it has
-- none there. Its sides are transformed in many pieces, for a straight line here is none there.
-- Called by the gateway for maps (ogc/mapFrame.ts), under the caller's role.
create or replace function portolan.transform_bounds(bounds float8[], from_srid integer, to_srid integer)
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
    select array[%1$I.st_xmin(b), %1$I.st_ymin(b), %1$I.st_xmax(b), %1$I.st_ymax(b)]
    from (
      select %1$I.st_transform(%1$I.st_segmentize(
        %1$I.st_makeenvelope($1[1], $1[2], $1[3], $1[4], $2),
        greatest($1[3] - $1[1], $1[4] - $1[2]) / 32), $3) as b
    ) x
    $sql$, v_postgis)
  into v_result using bounds, from_srid, to_srid;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
end
$$;

comment on function portolan.transform_bounds(float8[], integer, integer) is
  'The rectangle around another one in another coordinate reference system.';

grant execute on function portolan.transform_bounds(float8[], integer, integer) to public;
