-- Everything that follows from the two CSV files.

-- compiling the statements takes longer than running them
set local jit = off;

with recursive paths (path) as (
  select distinct regexp_replace(r.zone, '/[^/]*$', '')
  from world.city_rows r
  union
  select regexp_replace(p.path, '/[^/]*$', '')
  from paths p
  where p.path like '%/%'
)
insert into world.areas (name, path)
select replace(regexp_replace(p.path, '^.*/', ''), '_', ' '), p.path
from paths p
order by p.path collate "C";

update world.areas a
set parent_id = parent.id
from world.areas parent
where a.path like '%/%'
  and parent.path = regexp_replace(a.path, '/[^/]*$', '');

insert into world.countries (code, name, hemisphere, longitudes, geom)
select
  n.code,
  n.name,
  c.hemisphere,
  c.longitudes,
  coalesce(c.geom, public.st_setsrid(public.st_makepoint(n.longitude, n.latitude), 4326))
from world.country_rows n
  left join (
    select
      r.country_code,
      case
        when min(r.latitude) >= 0 then 'northern'
        when max(r.latitude) < 0 then 'southern'
        else 'both'
      end::world.hemisphere as hemisphere,
      numrange(min(r.longitude)::numeric, max(r.longitude)::numeric, '[]') as longitudes,
      -- on the globe, not on the map: half of the cities may lie beyond the 180th meridian
      public.st_centroid(
        public.st_collect(
          public.st_setsrid(public.st_makepoint(r.longitude, r.latitude), 4326) order by r.id
        )::public.geography)::public.geometry as geom
    from world.city_rows r
    group by r.country_code
  ) c on c.country_code = n.code;

drop table world.country_rows;

insert into world.cities (id, name, zone, country_code, area_id, country_codes, properties, geom)
select
  r.id,
  r.name,
  r.zone,
  r.country_code,
  a.id,
  r.country_codes,
  jsonb_strip_nulls(jsonb_build_object('zone', r.zone, 'comment', r.comment)),
  public.st_setsrid(public.st_makepoint(r.longitude, r.latitude), 4326)
from world.city_rows r
  join world.areas a on a.path = regexp_replace(r.zone, '/[^/]*$', '')
order by r.id;

drop table world.city_rows;

select setval(pg_get_serial_sequence('world.cities', 'id'), max(c.id))
from world.cities c;

-- Three copies of the cities stand side by side, so that the cells at the 180th meridian know their neighbours beyond it.
with sites as materialized (
  select c.id, shift.degrees, public.st_translate(c.geom, shift.degrees, 0) as geom
  from world.cities c
    cross join (values (-360), (0), (360)) as shift (degrees)
),
cells as materialized (
  select dump.geom
  from (
    select public.st_voronoipolygons(
      public.st_collect(s.geom order by s.degrees, s.id), 0, public.st_makeenvelope(-540, -90, 540, 90, 4326)) as geom
    from sites s
  ) voronoi
    cross join lateral public.st_dump(voronoi.geom) dump
),
parts as (
  select
    s.id,
    s.degrees,
    public.st_collectionextract(
      public.st_intersection(cells.geom, public.st_makeenvelope(-180, -90, 180, 90, 4326)), 3) as geom
  from sites s
    join cells on public.st_contains(cells.geom, s.geom)
),
outlines as (
  select p.id, public.st_normalize(public.st_multi(public.st_union(p.geom order by p.degrees))) as geom
  from parts p
  where not public.st_isempty(p.geom)
  group by p.id
)
insert into world.catchments (city_id, area_km2, geom)
select
  o.id,
  -- a long edge is straight on the map and no great circle: measured in steps of a degree
  public.st_area(public.st_segmentize(o.geom, 1)::public.geography) / 1000000,
  o.geom
from outlines o
order by o.id;

with places as materialized (
  -- on a sphere, the point that is nearer by a straight line is also nearer on the ground
  select
    c.id,
    c.country_code,
    cosd(public.st_y(c.geom)) * cosd(public.st_x(c.geom)) as x,
    cosd(public.st_y(c.geom)) * sind(public.st_x(c.geom)) as y,
    sind(public.st_y(c.geom)) as z
  from world.cities c
),
pairs as (
  select distinct least(c.id, neighbour.id) as from_id, greatest(c.id, neighbour.id) as to_id
  from places c
    cross join lateral (
      select n.id
      from places n
      where n.country_code <> c.country_code
      order by (n.x - c.x) * (n.x - c.x) + (n.y - c.y) * (n.y - c.y) + (n.z - c.z) * (n.z - c.z), n.id
      limit 2
    ) neighbour
),
lines as (
  select
    p.from_id,
    p.to_id,
    public.st_distance(a.geom::public.geography, b.geom::public.geography) / 1000 as length_km,
    public.st_segmentize(public.st_makeline(a.geom, b.geom)::public.geography, 50000)::public.geometry as geom
  from pairs p
    join world.cities a on a.id = p.from_id
    join world.cities b on b.id = p.to_id
)
insert into world.routes (from_city_id, to_city_id, length_km, geom)
select
  l.from_id,
  l.to_id,
  l.length_km,
  public.st_multi(
    case
      -- across the 180th meridian: laid out from 0 to 360 degrees, cut at 180, the eastern part moved back
      when public.st_xmax(l.geom) - public.st_xmin(l.geom) > 180
        then (
          -- not st_wrapx, which crashes the server with PostGIS 3.6.4
          select public.st_collectionextract(
            public.st_collect(
              public.st_intersection(s.shifted, public.st_makeenvelope(0, -90, 180, 90, 4326)),
              public.st_translate(
                public.st_intersection(s.shifted, public.st_makeenvelope(180, -90, 360, 90, 4326)), -360, 0)),
            2)
          from public.st_shiftlongitude(l.geom) s (shifted))
      else l.geom
    end)
from lines l
order by l.from_id, l.to_id;

insert into world.graticule (kind, degrees, geom)
select
  'meridian',
  degrees,
  public.st_segmentize(public.st_setsrid(public.st_makeline(
    public.st_makepoint(degrees, -90), public.st_makepoint(degrees, 90)), 4326), 5)
from generate_series(-165, 180, 15) degrees
union all
select
  'parallel',
  degrees,
  public.st_segmentize(public.st_setsrid(public.st_makeline(
    public.st_makepoint(-180, degrees), public.st_makepoint(180, degrees)), 4326), 5)
from generate_series(-75, 75, 15) degrees
order by 1, 2;

insert into world.logbook (city_id, author, entry, stay, at)
select c.id, seed.author, seed.entry, seed.stay::interval, seed.at::timestamptz
from world.cities c
  join (
    values
      ('Europe/Lisbon', 'captain', 'Took on water and charts. Wind from the north-west.', 'P3D', '2025-03-01 09:30+00'),
      ('Atlantic/Azores', 'captain', 'Ponta Delgada in sight at dawn.', 'P1DT12H', '2025-03-06 06:10+00'),
      ('America/Puerto_Rico', 'guest', 'Came aboard. The parrots speak three languages.', null, '2025-03-24 17:45+00'),
      ('America/Panama', 'captain', 'Waited for the locks.', 'PT26H', '2025-04-02 22:00+00'),
      ('Pacific/Galapagos', 'guest', 'The tortoises were here before the chart was.', 'P5D', '2025-04-11 14:20+00'),
      ('Pacific/Auckland', 'captain', 'Crossed the 180th meridian and lost a day.', 'P1W', '2025-05-30 03:00+00')
  ) as seed (zone, author, entry, stay, at) on seed.zone = c.zone
order by seed.at;
