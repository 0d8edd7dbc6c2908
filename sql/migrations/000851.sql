-- Vector tiles that are made beforehand: a pyramid of a collection, for those who may read what one account may.
create table portolan.pyramids (
  id bigint generated always as identity primary key,
  job bigint references portolan.jobs on delete set null,
  relation regclass not null,
  collection text not null,
  -- the column of the geometries; null: the first one of the table
  geometry_column name,
  tile_matrix_set text not null,
  first_zoom integer not null,
  last_zoom integer not null,
  account text not null references portolan.users (name) on update cascade on delete cascade,
  -- what decides how tiles look, and which rows are in them: tiles of others are dropped
  form text,
  rights jsonb,
  srid integer,
  -- the state of the table that the tiles are of, but for the areas that were written since
  shape text,
  snapshot pg_snapshot,
  -- counts what becomes of the tiles
  version bigint not null default 0,
  constraint pyramids_zoom check (first_zoom >= 0 and first_zoom <= last_zoom and last_zoom <= 24),
  unique (collection, tile_matrix_set, account)
);
create table portolan.pyramid_tiles (
  pyramid bigint not null references portolan.pyramids on delete cascade,
  z smallint not null,
  x integer not null,
  y integer not null,
  -- how many features were looked at: below a tile with none there is nothing
  features integer not null,
  -- compressed by gzip; empty: there is nothing in it
  content bytea not null,
  primary key (pyramid, z, x, y)
);
alter table portolan.pyramid_tiles alter content set storage external;
-- Where rows were written since a tile was made: tiles that touch it do not hold. In the system of the tile matrix set.
create table portolan.pyramid_areas (
  id bigint generated always as identity primary key,
  pyramid bigint not null references portolan.pyramids on delete cascade,
  minx float8 not null, miny float8 not null, maxx float8 not null, maxy float8 not null
);
create index pyramid_areas_pyramid on portolan.pyramid_areas (pyramid);
