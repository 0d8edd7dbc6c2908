-- Gives the role of an account its memberships, and makes the gateway's logins members of it (wanted_memberships).
create or replace function portolan.join_roles(account portolan.users) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.grant_role(m.role, m.member, m.inherit)
  from portolan.wanted_memberships() m
  where account.role in (m.role, m.member)
$$;
