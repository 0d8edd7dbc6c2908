-- Makes the roles of accounts, and roles with rights on tables or schemas, on the nodes of Citus. Citus by itself makes only
-- those there that are created after it. It keeps them equal from then on, also on nodes that are added later. Does nothing
-- without Citus, and if the owner of Portolan is not a super user.
create or replace function portolan.share_roles() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not portolan.has_citus() or not (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    return;
  end if;
  insert into pg_dist_object (classid, objid, objsubid)
  select 'pg_authid'::regclass, r.oid, 0
  from pg_roles r
  where r.oid >= 16384 -- not PostgreSQL's own
    and (
      r.rolname in (select u.role from portolan.users u)
      or r.rolname in (portolan.role_name('owner'), portolan.pool_role())
      or exists (
        select from pg_shdepend d
        where d.dbid = (select b.oid from pg_database b where b.datname = current_database())
          and (d.refclassid, d.refobjid) = ('pg_authid'::regclass, r.oid)
          and (d.classid = 'pg_class'::regclass
              and d.objid in (select c.oid from pg_class c where c.relnamespace <> 'portolan'::regnamespace)
            or d.classid = 'pg_namespace'::regclass and d.objid <> 'portolan'::regnamespace)))
    and not exists (
      select from pg_dist_object o where (o.classid, o.objid, o.objsubid) = ('pg_authid'::regclass, r.oid, 0));
  if found then
    perform citus_activate_node(n.nodename, n.nodeport) -- sends all objects to it
    from pg_dist_node n
    where n.groupid <> 0 and n.isactive and n.noderole = 'primary';
  end if;
end
$$;
