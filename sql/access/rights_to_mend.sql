-- The differences between the catalogue and what Portolan needs: roles and their memberships, rights on what belongs to
-- Portolan (wanted_rights), and the recorded privileges and authentication levels. Each with the statement that repairs it:
-- a migration runs those that it may, doctor prints them. Additional grants are a finding only where public, owner@ or an
-- account has them; a DBA may grant to other roles.
create or replace function portolan.rights_to_mend() returns table (kind text, finding text, statement text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read what was recorded
as $$
  with wanted as materialized (
    select * from portolan.wanted_rights()
  ), objects as (
    select 'pg_namespace'::regclass::oid as catalogue, n.oid as object, 0 as attnum, 'schema' as kind, n.nspowner as owner,
      coalesce(n.nspacl, acldefault('n', n.nspowner)) as acl
    from pg_namespace n
    where n.nspname = 'portolan'
    union all
    select 'pg_class'::regclass, c.oid, 0, case c.relkind when 'S' then 'sequence' else 'table' end, c.relowner,
      coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
    from pg_class c
    where c.relnamespace = 'portolan'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_class'::regclass, c.oid, a.attnum, 'table', c.relowner, a.attacl
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'portolan'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
      and not a.attisdropped
    union all
    select 'pg_proc'::regclass, p.oid, 0, 'function', p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p
    where p.pronamespace = 'portolan'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), actual as materialized (
    select o.catalogue, o.object, o.attnum, a.grantee, a.privilege_type as privilege
    from objects o cross join aclexplode(o.acl) a
    where a.grantee <> o.owner
  ), differences as (
    select true as missing, w.* from (select * from wanted except select * from actual) w
    union all
    select false, a.* from (select * from actual except select * from wanted) a
    where a.grantee = 0 or exists (
      select from pg_roles r
      where r.oid = a.grantee
        and (r.rolname = portolan.role_name('owner')
          or exists (select from portolan.logins l where l.role = r.rolname and l.kind in ('pool', 'runner'))
          or exists (select from portolan.users u where u.role = r.rolname and u.role_made)))
  ), recorded (relation, role, privileges) as (
    select p.relation, u.role,
      case p.privilege when 'read' then '{SELECT}' else '{SELECT, INSERT, UPDATE, DELETE}' end::text[]
    from portolan.privileges p join portolan.users u on u.name = p.user_name
    union all
    select a.relation, portolan.role_name('anonymous'), '{SELECT}'
    from portolan.authentication a
    where a.level <> 'Read/write'
  ), recorded_roles as (
    select c.oid as relation, c.relnamespace, r.oid as role, d.privileges
    from recorded d join pg_class c on c.oid = d.relation join pg_roles r on r.rolname = d.role
  ), wanted_members as materialized (
    select m.role, m.member, m.inherit, to_regrole(quote_ident(m.role)) as roleid, to_regrole(quote_ident(m.member)) as memberid
    from portolan.wanted_memberships(array(select u.name from portolan.users u)) m
  ), memberships as (
    -- what a membership gives is null before PostgreSQL 16, which does not have these columns
    select a.*
    from (values (null::boolean, null::boolean)) v (inherit_option, set_option)
      cross join lateral (
        select m.roleid, m.member as memberid, m.grantor, inherit_option as inherits, set_option as sets
        from pg_auth_members m) a
  ), made_roles (role) as (
    select u.role from portolan.users u where u.role_made
    union all
    select portolan.role_name('owner')
  )
  select 'role', format('the role %I is missing', m.role), format('create role %I nologin;', m.role)
  from (values (portolan.role_name('owner')), (portolan.role_name('anonymous')), (portolan.pool_role())) m (role)
  where to_regrole(quote_ident(m.role)) is null
  union all
  -- attributes that would put an account above every grant and policy, or remove its group from it
  select 'role', format('the role %I %s', r.rolname, w.finding), format('alter role %I %s;', r.rolname, w.attribute)
  from made_roles m
    join pg_roles r on r.rolname = m.role
    cross join lateral (values
      (r.rolsuper, 'is a superuser', 'nosuperuser'),
      (r.rolbypassrls, 'bypasses row level security', 'nobypassrls'),
      (r.rolcreaterole, 'may make and change roles', 'nocreaterole'),
      (not r.rolinherit, 'does not inherit the rights of its group', 'inherit')) w (applies, finding, attribute)
  where w.applies
  union all
  select 'role', format('the owner of Portolan, %I, may not make roles for accounts', r.rolname),
    format('alter role %I createrole;', r.rolname)
  from pg_namespace n join pg_roles r on r.oid = n.nspowner
  where n.nspname = 'portolan' and not (r.rolcreaterole or r.rolsuper)
  union all
  select 'role', format('the role %I inherits the rights of accounts', r.rolname), format('alter role %I noinherit;', r.rolname)
  from pg_roles r
  where r.rolinherit and exists (select from portolan.logins l where l.role = r.rolname and l.kind in ('pool', 'runner'))
  union all
  select 'membership',
    format(case
        when not exists (select from memberships a where a.roleid = m.roleid and a.memberid = m.memberid) then '%I is no member of %I'
        when m.inherit and not exists (
          select from memberships a where a.roleid = m.roleid and a.memberid = m.memberid and a.inherits)
        then '%I does not inherit the rights of %I'
        else '%I may not become %I'
      end, m.member, m.role),
    format(case when current_setting('server_version_num')::integer < 160000 then 'grant %I to %I;'
      else 'grant %I to %I with inherit %s, set true;' end, m.role, m.member, case when m.inherit then 'true' else 'false' end)
  from wanted_members m
  where not exists (
    select from memberships a
    where a.roleid = m.roleid and a.memberid = m.memberid and (a.sets is null or a.sets and (a.inherits or not m.inherit)))
  union all
  select 'membership', format('%I inherits the rights of %I', m.member, m.role),
    format('grant %I to %I with inherit false granted by %I;', m.role, m.member, pg_get_userbyid(a.grantor))
  from wanted_members m join memberships a using (roleid, memberid)
  where a.inherits and not m.inherit
  union all
  select 'right',
    format('%s %s %s on %s', g.role, case when d.missing then 'lacks' else 'should not have' end, d.privileges, g.name),
    format(case when d.missing then 'grant %s on %s to %s;' else 'revoke %s on %s from %s;' end, d.privileges, g.name, g.role)
  from (
    select d.missing, d.catalogue, d.object, d.grantee, min(d.attnum) as attnum,
      case when min(d.attnum) = 0 then string_agg(d.privilege, ', ' order by d.privilege)
        else format('%s (%s)', min(d.privilege), string_agg(quote_ident(a.attname), ', ' order by d.attnum)) end as privileges
    from differences d left join pg_attribute a on d.attnum > 0 and a.attrelid = d.object and a.attnum = d.attnum
    group by d.missing, d.catalogue, d.object, d.grantee, case when d.attnum > 0 then d.privilege end
  ) d
    join objects o on o.catalogue = d.catalogue and o.object = d.object and o.attnum = d.attnum
    cross join lateral (
      select portolan.role_sql(d.grantee) as role,
        -- here, for few, since the name of a function takes longer than the comparison of its rights
        format('%s %s', o.kind, case o.kind
          when 'schema' then 'portolan'
          when 'function' then o.object::regprocedure::text
          else o.object::regclass::text
        end) as name
    ) g
  union all
  select 'privilege', format('%s lacks %s on %s', g.role, string_agg(p.privilege, ', '), d.relation::regclass),
    format('grant %s on table %s to %s;', string_agg(p.privilege, ', '), d.relation::regclass, g.role)
  from recorded_roles d
    cross join unnest(d.privileges) p (privilege)
    cross join lateral (select portolan.role_sql(d.role) as role) g
  where not exists ( -- its own grant, which privileges_of shows; an inherited one may end
    select from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = d.relation and a.grantee = d.role and a.privilege_type = p.privilege)
  group by g.role, d.relation
  union all
  select distinct 'privilege', format('%s lacks USAGE on schema %I', portolan.role_sql(d.role), n.nspname),
    format('grant usage on schema %I to %s;', n.nspname, portolan.role_sql(d.role))
  from recorded_roles d join pg_namespace n on n.oid = d.relnamespace
  where not has_schema_privilege(d.role, n.oid, 'usage')
  union all
  select distinct 'privilege', format('%s lacks USAGE on sequence %s', portolan.role_sql(d.role), s.objid::regclass),
    format('grant usage on sequence %s to %s;', s.objid::regclass, portolan.role_sql(d.role))
  from recorded_roles d
    join pg_depend s on s.classid = 'pg_class'::regclass and s.refclassid = 'pg_class'::regclass
      and s.refobjid = d.relation and s.deptype in ('a', 'i')
    join pg_class c on c.oid = s.objid
  where 'INSERT' = any (d.privileges)
    and case c.relkind when 'S' then not has_sequence_privilege(d.role, s.objid, 'usage') else false end
$$;
