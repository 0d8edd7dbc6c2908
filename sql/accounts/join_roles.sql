-- Gives the roles of these accounts their memberships, and makes the gateway's logins members of them (wanted_memberships).
create or replace function portolan.join_roles(accounts text[]) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.grant_role(m.role, m.member, m.inherit) from portolan.wanted_memberships(accounts) m
$$;

drop function if exists portolan.join_roles(portolan.users);
