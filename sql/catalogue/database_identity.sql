-- Identifies this database: no copy and no restored dump has the same text.
create or replace function portolan.database_identity() returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format('%s %s', (select c.system_identifier from pg_control_system() c), d.oid)
  from pg_database d
  where d.datname = current_database()
$$;
