-- Saves a view of a table: the rows that a filter selects, their order and columns, and how they are shown (see
-- view_problem). The caller owns the view. `shared` names accounts and groups that also see it; * means everybody who
-- is signed in. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_view(
  name text, relation regclass, kind text default 'grid', title text default null, filter jsonb default null,
  sort text default null, columns jsonb default null, fields jsonb default null, shared text[] default '{}'
) returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.create_saved('view', jsonb_build_object(
    'name', name, 'relation', relation, 'kind', kind, 'title', title, 'filter', filter, 'sort', sort, 'columns', columns,
    'fields', fields, 'shared', shared))
$$;
