-- Refuses a text that is not a path of a GeoTIFF below the raster folder. Raises PX400.
create or replace function portolan.check_raster_file(file text) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if file is null or length(file) > 500
    or file !~ '^([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*[.](tif|tiff|TIF|TIFF)$'
  then
    raise exception 'a raster must be a .tif file below the raster folder: names of A-Z, a-z, 0-9, "_", "-" and ".", separated by "/"'
      using errcode = 'PX400';
  end if;
end
$$;
