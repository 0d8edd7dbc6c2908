-- The name of the replication slot that events have on each node of Citus. All databases of a server share such names.
create or replace function portolan.shard_slot() returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select 'portolan_events_' || left(md5(current_database()), 8)
$$;
