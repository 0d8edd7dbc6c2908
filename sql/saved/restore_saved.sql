-- Restores a saved thing (see saved_kinds) as it was in one of its versions. The owner and the accounts that it is
-- shared with do not change. Raises PX400, PX403 for another account's, PX404 for one that the caller cannot see, for a
-- version that is not kept and for a table that no longer exists.
create or replace function portolan.restore_saved(noun text, name text, version integer) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_item jsonb;
begin
  select v.item into v_item
  from portolan.list_saved_versions(noun, name) v
  where v.version = restore_saved.version;
  if not found then
    raise exception 'the % "%" has no version %', noun, name, version using errcode = 'PX404';
  end if;
  perform portolan.update_saved(noun, name, v_item);
end
$$;
