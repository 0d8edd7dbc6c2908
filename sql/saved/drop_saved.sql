-- Removes a saved thing (see saved_kinds). Raises PX403 for another account's, PX404 for one that the caller cannot see.
create or replace function portolan.drop_saved(noun text, name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.check_saved(noun, array[name]);
  if not portolan.remove_own(noun, name) then
    raise exception 'the % "%" belongs to another account', noun, name using errcode = 'PX403';
  end if;
end
$$;
