-- Lets the role of an account log in, and Citus connect to its nodes as that role: it runs the parts of a statement there
-- under the role of the session. The nodes know the role by the same verifier, and the coordinator the password by
-- pg_dist_authinfo, which only a super user may write. Only for roles that Portolan made. Does nothing without Citus.
create or replace function portolan.node_login(account portolan.users) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  c_version constant integer := 2; -- LOGIN_VERSION of server/kernel/database/loginPasswords.ts
  v_password text;
begin
  if not portolan.has_citus() or not account.role_made then
    return;
  end if;
  v_password := portolan.derived_password(account.role, c_version);
  if v_password is null then
    return; -- a first migration makes the secret after the first roles, and calls join_nodes
  end if;
  perform portolan.set_login(account.role, portolan.scram_verifier(v_password), 1);
  update portolan.users u set own_login_version = c_version where u.name = account.name;
  if (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, account.role, 'password=' || v_password)
    on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo;
  end if;
end
$$;
