-- The names by which saved things, such as maps, are shared with the caller: its account, the groups that it belongs to, and
-- * for everybody.
create or replace function portolan.my_names() returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select array['*'] || array(select m.name from portolan.me m) || array(select g.name from portolan.my_groups g)
$$;
