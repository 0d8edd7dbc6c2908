-- The saved queries of these names, or all (null), that the caller may see, by name. Raises PX404 for an unknown name.
create or replace function portolan.list_queries(names text[] default null) returns table (
  name text, title text, owner text, shared text[], q text, chart jsonb, version integer, may_change boolean
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.check_saved('query', names);
  return query
    select m.name, m.title, m.owner, m.shared, m.q, m.chart, m.version,
      portolan.may_change_saved(m.owner)
    from portolan.queries m
    where names is null or m.name = any (names)
    order by m.name;
end
$$;
