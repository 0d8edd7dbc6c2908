-- The objects of extensions whose owner, and the owner of whose schema, is trusted: their code counts as PostgreSQL's
-- own. Except a type in a schema where others may create: their function may replace one that a statement calls on it.
create or replace function portolan.tame_objects() returns table (class oid, object oid)
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
as $$
begin
  if not portolan.has_authors() then
    -- then the owners of all of them are trusted
    return query
    select d.classid, d.objid
    from pg_depend d
    where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
      and d.classid in (
        'pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass, 'pg_class'::regclass, 'pg_opclass'::regclass,
        'pg_language'::regclass, 'pg_foreign_data_wrapper'::regclass);
    return;
  end if;
  return query
  with trusted as materialized (
    select t.role from portolan.trusted_roles() t (role)
  ), members as materialized (
    select d.classid, d.objid from pg_depend d where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
  ), owned (class, object, owner, namespace) as (
    select m.classid, p.oid, p.proowner, p.pronamespace
    from members m join pg_proc p on m.classid = 'pg_proc'::regclass and p.oid = m.objid
    union all
    select m.classid, t.oid, t.typowner, t.typnamespace
    from members m join pg_type t on m.classid = 'pg_type'::regclass and t.oid = m.objid
    where t.typnamespace not in (select s.schema from portolan.authors_schemas() s (schema))
    union all
    select m.classid, o.oid, o.oprowner, o.oprnamespace
    from members m join pg_operator o on m.classid = 'pg_operator'::regclass and o.oid = m.objid
    union all
    select m.classid, c.oid, c.relowner, c.relnamespace
    from members m join pg_class c on m.classid = 'pg_class'::regclass and c.oid = m.objid
    union all
    select m.classid, o.oid, o.opcowner, o.opcnamespace
    from members m join pg_opclass o on m.classid = 'pg_opclass'::regclass and o.oid = m.objid
    union all
    select m.classid, l.oid, l.lanowner, 'pg_catalog'::regnamespace
    from members m join pg_language l on m.classid = 'pg_language'::regclass and l.oid = m.objid
    union all
    select m.classid, f.oid, f.fdwowner, 'pg_catalog'::regnamespace
    from members m join pg_foreign_data_wrapper f on m.classid = 'pg_foreign_data_wrapper'::regclass and f.oid = m.objid
  )
  select o.class, o.object
  from owned o join pg_namespace n on n.oid = o.namespace
  where o.owner in (select t.role from trusted t) and n.nspowner in (select t.role from trusted t);
end
$$;
