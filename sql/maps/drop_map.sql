-- Removes a saved map. Raises PX403 for somebody else's map, PX404 for one that the caller cannot see.
create or replace function portolan.drop_map(name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from portolan.maps m where m.name = drop_map.name) then
    raise exception 'there is no map "%"', name using errcode = 'PX404';
  end if;
  delete from portolan.maps m where m.name = drop_map.name;
  if not found then
    raise exception 'the map "%" is somebody else''s', name using errcode = 'PX403';
  end if;
end
$$;
