-- Maps: how collections are drawn, and which files are rasters.

-- What set_style was told; the comment @style speaks where a relation is not here.
create table portolan.styles (
  relation regclass primary key,
  style jsonb not null
);

-- A raster is a file of the gateway's raster folder and a relation, whose privileges are the raster's.
create table portolan.rasters (
  relation regclass primary key,
  -- path below that folder
  file text not null
    constraint rasters_file_is_plain check (file ~ '^([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*[.](tif|tiff|TIF|TIFF)$')
);

insert into portolan.generations (subject) values ('maps');
