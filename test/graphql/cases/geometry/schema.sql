create table app.places (
  id int primary key,
  utm geometry(point, 25832),
  lonlat geometry(geometry, 4326),
  any_srid geometry,
  no_srid geometry(point, 0),
  globe geography(point),
  solid geometry(pointz, 25832),
  shapes geometry[]
);
insert into app.places values
  (1, 'SRID=25832;POINT(500000 6200000)', 'SRID=4326;POINT(9 55.9)', 'SRID=3857;POINT(1001875 7500000)', 'POINT(1 2)',
   'POINT(9 55.9)', 'SRID=25832;POINTZ(500000 6200000 30)', array['SRID=4326;POINT(1 2)', null]::geometry[]),
  (2, 'SRID=25832;POINT(600000 6200000)', 'SRID=4326;POLYGON((10 55,11 55,11 56,10 56,10 55))', null, null, null, null, null),
  (3, null, null, null, null, null, null, null);
create index on app.places using gist (utm);
grant all on all tables in schema app to caller;
