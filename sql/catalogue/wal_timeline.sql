-- The timeline that this server writes: the first eight digits of the name of a WAL file. Raises 55000 on a standby.
create or replace function portolan.wal_timeline() returns integer
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
$$;
