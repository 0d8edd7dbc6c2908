-- Statements that revoke rights by which SQL of an account could still harm others. Large objects have no quota,
-- advisory locks share one table, temporary tables fill the disk, and statistics of PostGIS reveal rows.
create or replace function portolan.open_doors() returns table (statement text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format('revoke execute on function pg_catalog.%s from public', p.oid::regprocedure)
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace
    and (
      p.proname ~ '^(lo_|loread$|lowrite$|pg_try_advisory_|pg_advisory_(xact_)?lock)'
      or p.proname in ('pg_terminate_backend', 'pg_cancel_backend', 'pg_logical_emit_message'))
    and exists (
      select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where a.grantee = 0 and a.privilege_type = 'EXECUTE')
  union all
  -- statistics of PostGIS: extents and counts of tables on which the caller has no grant
  select format('revoke execute on function %s from public', p.oid::regprocedure)
  from pg_proc p
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
  where p.proname in (
      'st_estimatedextent', '_postgis_stats', '_postgis_selectivity', '_postgis_join_selectivity', '_postgis_index_extent')
    and exists (
      select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where a.grantee = 0 and a.privilege_type = 'EXECUTE')
  union all
  select format('revoke temporary on database %I from public', d.datname)
  from pg_database d
  where d.datname = current_database()
    and exists (
      select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where a.grantee = 0 and a.privilege_type = 'TEMPORARY')
  order by 1
$$;
