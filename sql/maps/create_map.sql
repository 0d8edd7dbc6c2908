-- Saves a map (see map_problem). The caller owns it; `shared` names accounts and groups that see it too, * everybody, who then
-- see it on its public page. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_map(
  name text, title text default null, view jsonb default null, layers jsonb default '[]', shared text[] default '{}'
) returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.create_saved('map', jsonb_build_object('name', name, 'title', title, 'view', view, 'layers', layers, 'shared', shared))
$$;
