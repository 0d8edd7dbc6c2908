-- A geometry or geography as a map of the console draws it: its type, srid and number of points, and as `geometry`
-- GeoJSON in degrees, without heights, null where it is empty or has coordinates that are not numbers. plane: the
-- GeoJSON has the geometry's own coordinates, because its coordinate reference system is unknown or does not reach
-- there. approximate: "arcs" that are drawn as lines, "points" of more than 100,000 that are left out where they make
-- no difference of 1/5000 of its extent.
create or replace function portolan.shown_shape(geometry anyelement, postgis text) returns jsonb
  language plpgsql stable strict parallel unsafe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_shape jsonb;
  v_drawn jsonb;
begin
  execute format(
    $sql$
    select jsonb_build_object('type', substr(%1$I.st_geometrytype(g), 4), 'srid', %1$I.st_srid(g),
      'points', %1$I.st_npoints(g), 'plane', false, 'geometry', null, 'approximate',
      case when %1$I.st_hasarc(g) then 'arcs' when %1$I.st_npoints(g) > 100000 then 'points' end)
    from (select $1::%1$I.geometry) as s (g)
    $sql$, postgis)
  into v_shape using geometry;
  if (v_shape ->> 'points')::bigint = 0 then
    return v_shape;
  end if;
  execute format(
    $sql$
    select jsonb_build_object('plane', degrees is null, 'geometry', %1$I.st_asgeojson(
      case when %1$I.st_npoints(drawn) <= 100000 then drawn else %1$I.st_simplify(
        drawn, greatest(%1$I.st_xmax(drawn) - %1$I.st_xmin(drawn), %1$I.st_ymax(drawn) - %1$I.st_ymin(drawn)) / 5000, true)
      end, 9, 0)::jsonb)
    from (select $1::%1$I.geometry) as s (g)
      cross join lateral (select portolan.try_transform(g, 4326, %1$L)) as t (degrees)
      cross join lateral (
        select %1$I.st_force2d(portolan.straight_geometry(coalesce(degrees, g), %1$L))) as d (drawn)
    $sql$, postgis)
  into v_drawn using geometry;
  return v_shape || v_drawn;
exception
  -- coordinates that are not numbers are not JSON
  when data_exception then
    return v_shape;
end
$$;
