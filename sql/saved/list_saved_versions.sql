-- The versions of a saved thing (see saved_kinds), the latest first: when and by whom each was saved, and its members.
-- For its owner and super users. Raises PX403 for another account's, PX404 for one that the caller cannot see.
create or replace function portolan.list_saved_versions(noun text, name text) returns table (
  version integer, saved_at timestamptz, saved_by text, item jsonb
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.check_saved(noun, array[name]);
  return query
    select v.version, v.saved_at, v.saved_by, v.item
    from portolan.saved_versions v
    where v.noun = list_saved_versions.noun and v.name = list_saved_versions.name
    order by v.version desc;
  if not found then
    raise exception 'the % "%" belongs to another account', noun, name using errcode = 'PX403';
  end if;
end
$$;
