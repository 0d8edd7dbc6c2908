-- The dashboards of these names, or all (null), that the caller may see, by name. Raises PX404 for an unknown name.
create or replace function portolan.list_dashboards(names text[] default null) returns table (
  name text, title text, owner text, shared text[], panels jsonb, version integer, may_change boolean
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  select n into v_unknown
  from unnest(names) n
  where not exists (select from portolan.dashboards m where m.name = n)
  limit 1;
  if found then
    raise exception 'there is no dashboard "%"', v_unknown using errcode = 'PX404';
  end if;
  return query
    select m.name, m.title, m.owner, m.shared, m.panels, m.version,
      portolan.is_super_user() or coalesce(m.owner = (select me.name from portolan.me), false)
    from portolan.dashboards m
    where names is null or m.name = any (names)
    order by m.name;
end
$$;
