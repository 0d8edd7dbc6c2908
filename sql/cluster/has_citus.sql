-- Whether the database is the coordinator of a Citus cluster.
create or replace function portolan.has_citus() returns boolean
  language sql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select to_regclass('pg_catalog.pg_dist_partition') is not null
$$;
