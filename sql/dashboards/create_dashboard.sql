-- Saves a dashboard of charts, numbers and tables (see dashboard_problem). The caller owns it; `shared` names accounts and groups
-- that see it too, * everybody, who then have its public page. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_dashboard(
  name text, title text default null, panels jsonb default '[]', shared text[] default '{}'
) returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.create_saved('dashboard', jsonb_build_object('name', name, 'title', title, 'panels', panels, 'shared', shared))
$$;
