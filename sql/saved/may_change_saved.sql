-- Whether the caller may change a saved thing of this owner.
create or replace function portolan.may_change_saved(owner text) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.is_super_user() or coalesce(owner = (select m.name from portolan.me m), false)
$$;
