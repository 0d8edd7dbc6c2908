-- The accounts that the caller's account belongs to, over any number of levels. A rule that names a group means them. Not
-- anonymous, which everybody belongs to: a rule for anonymous is for callers who have not signed in.
create or replace view portolan.my_groups with (security_barrier) as
  with recursive belongs (role) as (
    select a.roleid
    from portolan.me m
      join pg_catalog.pg_roles r on r.rolname = m.role
      join pg_catalog.pg_auth_members a on a.member = r.oid
    union
    -- offset 0: role by role, by the index, however many memberships and accounts there are
    select a.roleid
    from belongs b
      cross join lateral (select m.roleid from pg_catalog.pg_auth_members m where m.member = b.role offset 0) a
  )
  select a.name
  from belongs b
    cross join lateral (
      select u.name from portolan.users u where u.role = pg_catalog.pg_get_userbyid(b.role) and u.name <> 'anonymous' offset 0) a;
