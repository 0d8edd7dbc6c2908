-- The memberships that roles must have: accounts of anonymous, of their groups and, for super users, of owner@; the gateway's
-- logins and the pool of every account, so that they can change to it; a runner of its one role. Without roles that do not
-- exist.
create or replace function portolan.wanted_memberships() returns table (role text, member text, inherit boolean)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select m.role, m.member, m.inherit
  from (
    select portolan.role_name('anonymous'), u.role, true
    from portolan.users u
    where u.role_made
    union all
    select g.role, u.role, true
    from portolan.users u join portolan.users g on g.name = any (u.user_groups)
    where u.role_made
    union all
    select portolan.role_name('owner'), u.role, true
    from portolan.users u
    where u.role_made and u.superuser
    union all
    select u.role, l.role, false
    from portolan.users u
      join portolan.logins l on l.kind in ('gateway', 'pool') or l.runs_as = u.role and not u.role_made
      join pg_roles r on r.rolname = l.role
    where not r.rolsuper
  ) m (role, member, inherit)
  where m.role <> m.member
    and to_regrole(quote_ident(m.role)) is not null and to_regrole(quote_ident(m.member)) is not null
$$;
