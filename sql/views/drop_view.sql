-- Removes a saved view. Its table stays. Raises PX403 for a view of another account, PX404 for a view that the caller
-- cannot see.
create or replace function portolan.drop_view(name text) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.drop_saved('view', name)
$$;
