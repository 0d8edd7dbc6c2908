-- The saved views with these names, or all (null), that the caller may see, ordered by name. schema and table are null
-- if the table has been dropped. Raises PX404 for an unknown name.
create or replace function portolan.list_views(names text[] default null) returns table (
  name text, title text, owner text, shared text[], relation text, schema text, "table" text, kind text, filter jsonb, sort text,
  columns jsonb, fields jsonb, version integer, may_change boolean
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.check_saved('view', names);
  return query
    select m.name, m.title, m.owner, m.shared, m.relation::text, n.nspname::text, c.relname::text, m.kind, m.filter, m.sort,
      m.columns, m.fields, m.version, portolan.may_change_saved(m.owner)
    from portolan.views m
      left join pg_class c on c.oid = m.relation
      left join pg_namespace n on n.oid = c.relnamespace
    where names is null or m.name = any (names)
    order by m.name;
end
$$;
