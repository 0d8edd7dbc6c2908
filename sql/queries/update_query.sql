-- Changes members of a saved query: title, q, chart, shared, and for super users owner; others stay. With `version` only the query
-- of that version is changed. Raises PX400, PX403 for another account's, PX404 for one that the caller cannot see, PX409
-- where it was changed since that version.
create or replace function portolan.update_query(name text, changes jsonb) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.update_saved('query', name, changes)
$$;
