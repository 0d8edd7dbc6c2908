-- Removes a saved query. Raises PX403 for somebody else's map, PX404 for one that the caller cannot see.
create or replace function portolan.drop_query(name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from portolan.queries m where m.name = drop_query.name) then
    raise exception 'there is no query "%"', name using errcode = 'PX404';
  end if;
  delete from portolan.queries m where m.name = drop_query.name;
  if not found then
    raise exception 'the query "%" is somebody else''s', name using errcode = 'PX403';
  end if;
end
$$;
