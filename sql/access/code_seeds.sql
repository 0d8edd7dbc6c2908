-- The places of code that is not PostgreSQL's, Portolan's or an extension's, as nodes of code_edges: level `a` where a role
-- that is not trusted owns the thing or may make it run, or where it is unknown what a trusted owner's function runs, and
-- `t` for functions of trusted owners, and for expressions that leave something on the session (leaving_code). `why`: the
-- reason, where that is not the thing itself; a text, or the schema or relation.
create or replace function portolan.code_seeds() returns table (
  class oid, object oid, level "char", owner oid, why text
)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  return query
  select 'pg_proc'::regclass::oid, p.oid, 't'::"char", p.proowner, null
  from pg_proc p
  where p.oid >= 16384 and p.pronamespace <> 'portolan'::regnamespace
    and p.proowner in (select t.role from portolan.trusted_roles() t (role))
    and not exists (
      select from portolan.tame_objects() t where t.class = 'pg_proc'::regclass and t.object = p.oid)
  union all
  select x.class, x.object, 't'::"char", null::oid, null
  from portolan.leaving_code() l cross join lateral (values (l.class, l.object), (0::oid, l.relation)) x (class, object)
  where x.object is not null;
  if not portolan.has_authors() then
    return; -- then nothing is anybody else's
  end if;
  return query
  with recursive trusted as materialized (
    select t.role from portolan.trusted_roles() t (role)
  ), creators as (
    -- roles that may become an author
    select a.grantee as role
    from (
      select n.nspacl as acl from pg_namespace n where n.nspname !~ '^pg_'
      union all
      select d.datacl from pg_database d where d.datname = current_database()) o
      cross join aclexplode(o.acl) a
    where a.privilege_type = 'CREATE' and a.grantee not in (select t.role from trusted t)
    union
    select m.member from creators c join pg_auth_members m on m.roleid = c.role
    where m.member not in (select t.role from trusted t)
  ), authors as (
    select x.role from portolan.authors() x (role)
    union
    select c.role from creators c
    union
    -- and the roles that they are members of
    select m.roleid from authors a join pg_auth_members m on m.member = a.role
    where m.roleid not in (select t.role from trusted t)
  ), owned (class, object, owner, namespace) as (
    select 'pg_class'::regclass::oid, c.oid, c.relowner, c.relnamespace
    from pg_class c
    where c.oid >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select 'pg_proc'::regclass, p.oid, p.proowner, p.pronamespace from pg_proc p where p.oid >= 16384
    union all
    select 'pg_type'::regclass, t.oid, t.typowner, t.typnamespace from pg_type t where t.oid >= 16384
    union all
    select 'pg_operator'::regclass, o.oid, o.oprowner, o.oprnamespace from pg_operator o where o.oid >= 16384
    union all
    select 'pg_foreign_server'::regclass, s.oid, s.srvowner, null from pg_foreign_server s
    union all
    select 'pg_foreign_data_wrapper'::regclass, f.oid, f.fdwowner, null from pg_foreign_data_wrapper f
    union all
    select 'pg_language'::regclass, l.oid, l.lanowner, null from pg_language l
  ), of_authors as materialized (
    select o.class, o.object, o.owner, null as why
    from owned o
    where o.owner not in (select t.role from trusted t)
    union all
    select o.class, o.object, n.nspowner, format('schema %I', n.nspname)
    from owned o join pg_namespace n on n.oid = o.namespace
    where n.nspowner not in (select t.role from trusted t)
  )
  select o.class, o.object, 'a'::"char", o.owner, o.why from of_authors o
  union all
  -- what children inherit
  select 1::oid, o.object, 'a'::"char", o.owner, o.why from of_authors o where o.class = 'pg_class'::regclass
  union all
  -- a statement names the functions of such a type by their schema, where a better match may have been made
  select 'pg_type'::regclass, t.oid, 'a'::"char", a.grantee, format('CREATE on schema %I', n.nspname)
  from pg_depend d
    join pg_type t on t.oid = d.objid
    join pg_namespace n on n.oid = t.typnamespace
    cross join aclexplode(n.nspacl) a
  where d.classid = 'pg_type'::regclass and d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
    and a.privilege_type = 'CREATE' and a.grantee not in (select r.role from trusted r)
  union all
  select u.class, u.object, 'a'::"char", g.grantee, format('%s on %s', g.privilege_type, g.relation::regclass)
  from (
    select c.oid as relation, a.grantee, a.privilege_type
    from pg_class c cross join aclexplode(c.relacl) a
    where c.relkind in ('r', 'p', 'v', 'f') and c.oid >= 16384
    union
    select t.attrelid, a.grantee, a.privilege_type
    from pg_attribute t cross join aclexplode(t.attacl) a
    where t.attrelid >= 16384 and t.attacl is not null
  ) g
    cross join lateral (values (0::oid, g.relation), (2::oid, g.relation)) u (class, object)
  where g.privilege_type in ('TRIGGER', 'REFERENCES')
    and (g.grantee in (select a.role from authors a)
      or g.grantee not in (select t.role from trusted t) and (
        g.grantee = 0 or exists (select from creators c where c.role = 0)))
  union all
  select 'pg_proc'::regclass, f.function, 'a'::"char", p.proowner, format('%s, and %s', f.function::regprocedure, f.reason)
  from portolan.unread_functions() f join pg_proc p on p.oid = f.function;
end
$$;
