-- The grants, default privileges and policies that name roles, on everything that is not the system's, an extension's
-- or Portolan's: a restore loses these where the roles do not exist. Without the grants to owner@, which Portolan makes
-- itself.
create or replace function portolan.team_rights() returns table (object text, kind text, name text, statements text[])
  language sql stable
  set search_path = pg_catalog, pg_temp -- names come out qualified
as $$
  with others as materialized (
    -- few, so that `not in` finds them by a hash whatever the statistics say
    select n.oid
    from pg_namespace n
    where n.nspname ~ '^pg_' or n.nspname in ('information_schema', 'portolan')
      or n.nspname in (select h.name from portolan.history_schemas h)
  ), objects as (
    -- with rights of their own: most functions of extensions have none
    select 'pg_namespace'::regclass as catalogue, n.oid, format('schema %I', n.nspname) as object, n.nspowner as owner,
      n.nspacl as acl, coalesce(i.initprivs, acldefault('n', n.nspowner)) as usual, null::text as columns
    from pg_namespace n
      -- in a new database everybody has rights on schema public
      left join pg_init_privs i on i.classoid = 'pg_namespace'::regclass and i.objoid = n.oid and i.privtype = 'i'
    where n.nspacl is not null and n.oid not in (select o.oid from others o)
    union all
    select 'pg_class'::regclass, c.oid, format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass),
      c.relowner, c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner), null
    from pg_class c
    where c.relacl is not null and c.relnamespace not in (select o.oid from others o)
      and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_class'::regclass, c.oid, format('table %s', c.oid::regclass), c.relowner, a.attacl, null,
      format(' (%I)', a.attname)
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace not in (select o.oid from others o) and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and a.attacl is not null and not a.attisdropped
    union all
    select 'pg_proc'::regclass, p.oid, format('routine %s', p.oid::regprocedure), p.proowner, p.proacl,
      acldefault('f', p.proowner), null
    from pg_proc p
    where p.proacl is not null and p.pronamespace not in (select o.oid from others o)
  ), grants as (
    select o.object, format('revoke %s%s on %s from public', u.privilege_type, o.columns, o.object) as statement
    from objects o cross join aclexplode(o.usual) u
    where u.grantee = 0 and not exists (
      select from aclexplode(o.acl) a where a.grantee = 0 and a.privilege_type = u.privilege_type)
      and not exists (select from pg_depend d where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
    union all
    select o.object, format('grant %s%s on %s to %s%s', a.privilege_type, o.columns, o.object,
      portolan.role_sql(a.grantee), case when a.is_grantable then ' with grant option' end)
    from objects o cross join aclexplode(o.acl) a
    where a.grantee <> o.owner
      -- by number, since nearly all grants are to owner@
      and a.grantee is distinct from (select r.oid from pg_roles r where r.rolname = portolan.role_name('owner'))
      and not exists (
        select from aclexplode(o.usual) u where u.grantee = a.grantee and u.privilege_type = a.privilege_type)
      and not exists (select from pg_depend d where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
  )
  select g.object, 'grants', '', array_agg(g.statement order by g.statement desc)
  from grants g
  group by g.object
  union all
  select coalesce(n.nspname, ''), 'defaults', format('%s %s', portolan.role_sql(d.defaclrole), d.defaclobjtype),
    array_agg(format('alter default privileges for role %s%s grant %s on %s to %s%s', portolan.role_sql(d.defaclrole),
      ' in schema ' || quote_ident(n.nspname), a.privilege_type,
      case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines' when 'T' then 'types'
        else 'schemas' end,
      portolan.role_sql(a.grantee), case when a.is_grantable then ' with grant option' end) order by a.grantee, a.privilege_type)
  from pg_default_acl d
    left join pg_namespace n on n.oid = d.defaclnamespace
    cross join aclexplode(d.defaclacl) a
  where a.grantee <> d.defaclrole
  group by n.nspname, d.defaclrole, d.defaclobjtype
  union all
  select p.polrelid::regclass::text, 'policy', p.polname, array[format('create policy %I on %s as %s for %s to %s%s%s',
    p.polname, p.polrelid::regclass, case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(portolan.role_sql(r.role), ', ') from unnest(p.polroles) r (role)),
    ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
    ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')]
  from pg_policy p
    join pg_class c on c.oid = p.polrelid
  where p.polroles <> '{0}' and c.relnamespace not in (select o.oid from others o)
$$;
