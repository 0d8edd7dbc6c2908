-- Whether a table has events now.
create or replace function portolan.events_of(relation regclass) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else reads portolan.event_tables
as $$
  select coalesce((select t.active from portolan.event_tables t where t.relation = events_of.relation), false)
$$;
