-- The groups of an account, over any number of levels: first its direct groups in the order of its list, then the
-- others by name. They are those of portolan.my_groups. The gateway calls it, to tell applications.
create or replace function portolan.groups_of(account text) returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive belongs (role) as (
    select m.roleid
    from portolan.users u
      join pg_roles r on r.rolname = u.role
      join pg_auth_members m on m.member = r.oid
    where u.name = account
    union
    -- offset 0: role by role, by the index, however many memberships and accounts there are
    select a.roleid
    from belongs b cross join lateral (select m.roleid from pg_auth_members m where m.member = b.role offset 0) a
  )
  select array(
    select g.name
    from belongs b
      cross join lateral (select u.name from portolan.users u where u.role = pg_get_userbyid(b.role) offset 0) g
      left join unnest((select u.user_groups from portolan.users u where u.name = account)) with ordinality o (name, place)
        on o.name = g.name
    where g.name <> 'anonymous'
    order by o.place, g.name)
$$;
