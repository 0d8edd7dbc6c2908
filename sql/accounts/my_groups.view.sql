-- The accounts that the caller's account belongs to, over any number of levels. A rule that names a group means them. Not
-- anonymous, which everybody belongs to: a rule for anonymous is for callers who have not signed in.
create or replace view portolan.my_groups with (security_barrier) as
  with recursive belongs (role) as (
    select a.roleid
    from portolan.me m
      join pg_catalog.pg_roles r on r.rolname = m.role
      join pg_catalog.pg_auth_members a on a.member = r.oid
    union
    select a.roleid from belongs b join pg_catalog.pg_auth_members a on a.member = b.role
  )
  select u.name
  from belongs b
    join pg_catalog.pg_roles r on r.oid = b.role
    join portolan.users u on u.role = r.rolname
  where u.name <> 'anonymous';
