-- The functions behind comparisons that cannot use an index under row level security until they are marked as leakproof:
-- boxes of PostGIS, and numeric and enums of PostgreSQL. None of them raises an error that could reveal a hidden row.
create or replace function portolan.leaky_functions() returns table (signature text, from_postgis boolean)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select p.oid::regprocedure::text, true
  from pg_proc p
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
  where p.proname in ('geometry_overlaps', 'geography_overlaps') and not p.proleakproof
  union all
  select p.oid::regprocedure::text, false
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^(numeric|enum)_(eq|lt|le|gt|ge)$'
    and not p.proleakproof
$$;
