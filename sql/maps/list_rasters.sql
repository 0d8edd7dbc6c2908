-- All rasters.
create or replace function portolan.list_rasters() returns table (schema text, "table" text, file text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else reads portolan.rasters
as $$
  select n.nspname::text, c.relname::text, r.file
  from portolan.rasters r join pg_class c on c.oid = r.relation join pg_namespace n on n.oid = c.relnamespace
  order by n.nspname, c.relname
$$;
