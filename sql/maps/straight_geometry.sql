-- A geometry of points, lines, polygons, multi-geometries, or a collection of these. Arcs become lines, surfaces and
-- triangles become polygons, nested collections become flat, and empty parts are left out. `for_geos`: surfaces become the
-- area that they cover, since GEOS considers polygons that touch, or stand upright, invalid; a collection with NaN as a
-- coordinate becomes NULL, since it crashes GEOS. Statements of all interfaces call it under the caller's role, for
-- geometries that are not simple already.
create or replace function portolan.straight_geometry(geometry anyelement, postgis text, for_geos boolean default false)
  returns anyelement
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_type text;
  v_is_empty boolean;
  v_has_nan boolean;
  v_result geometry%type;
begin
  execute format('select %1$I.st_geometrytype($1), %1$I.st_isempty($1)', postgis) into v_type, v_is_empty using geometry;
  if v_is_empty then
    execute format($sql$select %1$I.st_geomfromtext('GEOMETRYCOLLECTION EMPTY', %1$I.st_srid($1))$sql$, postgis)
    into v_result using geometry;
    return v_result;
  end if;
  if for_geos and v_type in ('ST_GeometryCollection', 'ST_Tin', 'ST_PolyhedralSurface') then
    execute format('select %1$I.st_force2d($1)', postgis) into geometry using geometry;
  end if;
  case v_type
    when 'ST_MultiPoint', 'ST_MultiLineString', 'ST_MultiPolygon' then
      execute format('select %1$I.st_collectionextract($1, %1$I.st_dimension($1) + 1)', postgis) into v_result using geometry;
    when 'ST_CircularString', 'ST_CompoundCurve', 'ST_CurvePolygon' then
      execute format('select %1$I.st_curvetoline($1)', postgis) into v_result using geometry;
    when 'ST_Triangle' then
      execute format('select %1$I.st_makepolygon(%1$I.st_exteriorring($1))', postgis) into v_result using geometry;
    when 'ST_Tin' then
      execute format(
        $sql$
        select %1$I.st_collect(%1$I.st_makepolygon(%1$I.st_exteriorring(d.geom)) order by d.path)
        from %1$I.st_dump($1) as d
        where not %1$I.st_isempty(d.geom)
        $sql$, postgis)
      into v_result using geometry;
    when 'ST_PolyhedralSurface' then
      execute format(
        $sql$
        select %1$I.st_collect(d.geom order by d.path)
        from %1$I.st_dump($1) as d
        where not %1$I.st_isempty(d.geom)
        $sql$, postgis)
      into v_result using geometry;
    when 'ST_MultiCurve', 'ST_MultiSurface' then
      execute format(
        $sql$
        select %1$I.st_collect(%1$I.st_curvetoline(p.part) order by i)
        from generate_series(1, %1$I.st_numgeometries($1)) as i, %1$I.st_geometryn($1, i) as p (part)
        where not %1$I.st_isempty(p.part)
        $sql$, postgis)
      into v_result using geometry;
    when 'ST_GeometryCollection' then
      execute format(
        $sql$
        with recursive parts (part, type, path) as (
          select $1, 'ST_GeometryCollection', array[]::integer[]
          union all
          select p.part, %1$I.st_geometrytype(p.part), c.path || i
          from parts as c, generate_series(1, %1$I.st_numgeometries(c.part)) as i, %1$I.st_geometryn(c.part, i) as p (part)
          where c.type = 'ST_GeometryCollection'
        )
        select %1$I.st_forcecollection(%1$I.st_collect(array_agg(portolan.straight_geometry(part, %1$L, $2) order by path)))
        from parts
        where type <> 'ST_GeometryCollection' and not %1$I.st_isempty(part)
        $sql$, postgis)
      into v_result using geometry, for_geos;
      if for_geos then
        execute format(
          $sql$
          select exists (
            select from %1$I.st_dumppoints($1) as d where 'NaN' in (%1$I.st_x(d.geom), %1$I.st_y(d.geom)))
          $sql$, postgis)
        into v_has_nan using v_result;
        if v_has_nan then
          return null;
        end if;
      end if;
    else
      return geometry;
  end case;
  if for_geos and v_type in ('ST_Tin', 'ST_PolyhedralSurface') then
    execute format(
      $sql$
      select coalesce(
        %1$I.st_unaryunion(%1$I.st_collect(d.geom) filter (where %1$I.st_area(d.geom) > 0)),
        %1$I.st_collect(%1$I.st_exteriorring(d.geom)))
      from %1$I.st_dump($1) as d
      $sql$, postgis)
    into v_result using v_result;
  end if;
  return v_result;
end
$$;
