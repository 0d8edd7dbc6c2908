-- The roles that are not trusted and own something here that can hold code. A dropped role counts too.
create or replace function portolan.authors() returns setof oid
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
as $$
begin
  return query
  select distinct d.refobjid
  from pg_shdepend d
  where d.dbid = (select b.oid from pg_database b where b.datname = current_database())
    and d.deptype = 'o'
    and d.classid in (
      'pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass,
      'pg_namespace'::regclass, 'pg_language'::regclass, 'pg_foreign_server'::regclass,
      'pg_foreign_data_wrapper'::regclass, 'pg_conversion'::regclass)
    and not (d.classid = 'pg_class'::regclass and exists (
      select from pg_class c where c.oid = d.objid and c.relpersistence = 't'))
    and d.refobjid not in (select t.role from portolan.trusted_roles() t (role));
end
$$;
