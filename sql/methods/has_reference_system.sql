-- Whether the database knows a coordinate reference system, which anybody may ask. True without PostGIS, since no value can
-- have one then, and where PostGIS's table cannot be held by its name (hold_schema): then the statement itself will tell.
create or replace function portolan.has_reference_system(srs integer) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the schema of PostGIS need not be open to the caller
  set row_security = off -- an error rather than a policy that runs as the owner
as $$
declare
  v_schema text := portolan.hold_schema((select e.extnamespace from pg_extension e where e.extname = 'postgis'));
  v_known boolean;
begin
  if v_schema is null or not exists (
    select from pg_class c join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    where c.oid = to_regclass(format('%I.spatial_ref_sys', v_schema)) and portolan.is_core_owner(c.relowner))
  then
    return true;
  end if;
  execute format('select exists (select from %I.spatial_ref_sys s where s.srid = $1)', v_schema) into v_known using srs;
  return v_known;
end
$$;
