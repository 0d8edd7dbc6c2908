-- Marks the box comparison of PostGIS as leakproof, so that row level security keeps the spatial index: `&&` compares
-- boxes and cannot raise on a bad geometry. Called by repair_roles. Needs a superuser; returns whether the mark is set.
create or replace function portolan.mark_leakproof() returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_function regprocedure;
  v_all boolean := true;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
    where p.proname in ('geometry_overlaps', 'geography_overlaps') and not p.proleakproof
  loop
    begin
      execute format('alter function %s leakproof', v_function);
    exception
      when insufficient_privilege then v_all := false;
    end;
  end loop;
  return v_all;
end
$$;

comment on function portolan.mark_leakproof() is 'Marks the box comparison of PostGIS as leakproof.';

revoke execute on function portolan.mark_leakproof() from public;
