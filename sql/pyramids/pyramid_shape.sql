-- Changes with every change of a table's content that leaves no record of each row, and with a restore of the server.
create or replace function portolan.pyramid_shape(relation oid) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || portolan.members_stamp(portolan.stamped_members(relation))
$$;
