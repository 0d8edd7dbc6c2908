-- Removes a dashboard. Raises PX403 for another account's, PX404 for one that the caller cannot see.
create or replace function portolan.drop_dashboard(name text) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.drop_saved('dashboard', name)
$$;
