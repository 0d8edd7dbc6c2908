-- The memberships that the roles of these accounts must have: of anonymous, of their groups and, for super users, of owner@;
-- and those that the gateway's logins and the pool must have of them, so that they can change to them, and a runner of its
-- one role. Without roles that do not exist. It costs what these accounts have, however many others there are.
create or replace function portolan.wanted_memberships(accounts text[]) returns table (role text, member text, inherit boolean)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with asked as (
    select u.* from portolan.users u where u.name = any (accounts)
  )
  select m.role, m.member, m.inherit
  from (
    select (select portolan.role_name('anonymous')), a.role, true
    from asked a
    where a.role_made
    union all
    select (select u.role from portolan.users u where u.name = g.name), a.role, true -- by the key, one after the other
    from asked a cross join unnest(a.user_groups) g (name)
    where a.role_made
    union all
    select (select portolan.role_name('owner')), a.role, true
    from asked a
    where a.role_made and a.superuser
    union all
    select a.role, l.role, false
    from asked a
      join portolan.logins l on l.kind in ('gateway', 'pool') or l.runs_as = a.role and not a.role_made
    where not (select r.rolsuper from pg_roles r where r.rolname = l.role)
  ) m (role, member, inherit)
  where m.role <> m.member
    and to_regrole(quote_ident(m.role)) is not null and to_regrole(quote_ident(m.member)) is not null
$$;

drop function if exists portolan.wanted_memberships();
