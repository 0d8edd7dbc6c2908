-- Changes members of a saved view: title, relation, kind, filter, sort, columns, fields, shared, and for super users
-- owner. Missing members do not change. With `version`, only the view with that version is changed. Raises PX400, PX403
-- for a view of another account, PX404 for a view that the caller cannot see and for a table that does not exist, PX409
-- if the view was changed since that version.
create or replace function portolan.update_view(name text, changes jsonb) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.update_saved('view', name, changes)
$$;
