-- Lets accounts log in on the nodes of Citus that cannot yet: those of a database that was restored, or that got Citus later.
-- Every migration calls it. Does nothing without Citus.
create or replace function portolan.join_nodes() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not portolan.has_citus() then
    return;
  end if;
  perform portolan.share_roles();
  perform portolan.node_login(u)
  from portolan.users u
  where u.role_made and to_regrole(quote_ident(u.role)) is not null
    and (u.own_login_version is null
      or (select r.rolsuper from pg_roles r where r.rolname = current_user)
        and not exists (select from pg_dist_authinfo a where a.nodeid = 0 and a.rolename = u.role));
end
$$;
