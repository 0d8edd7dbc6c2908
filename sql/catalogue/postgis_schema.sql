-- The schema of PostGIS; null without it.
create or replace function portolan.postgis_schema() returns text
  language sql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select n.nspname::text
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'postgis'
$$;
