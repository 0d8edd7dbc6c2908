-- Saves SQL, with parameters as in stored methods (:name), to run it again. The caller owns it; `shared` names accounts and groups
-- that see it too, * everybody who is signed in. `chart` is how the console shows its result (see chart_problem). Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_query(
  name text, q text, title text default null, shared text[] default '{}', chart jsonb default null
) returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.create_saved('query', jsonb_build_object('name', name, 'q', q, 'title', title, 'shared', shared, 'chart', chart))
$$;
