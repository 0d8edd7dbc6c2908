-- Gives the role of an account its memberships: anonymous, its group, owner@ for a super user, and lets the gateway's
-- logins change to it; the runner's only where the role cannot log in by itself. Called by create_user, adopt_role and repair_roles.
create or replace function portolan.join_roles(account portolan.users) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_login text;
begin
  if account.role_made then
    if account.name <> 'anonymous' then
      perform portolan.grant_role(portolan.role_name('anonymous'), account.role, true);
    end if;
    if account.user_group is not null then
      perform portolan.grant_role(u.role, account.role, true)
      from portolan.users u where u.name = account.user_group;
    end if;
    if account.superuser then
      perform portolan.grant_role(portolan.role_name('owner'), account.role, true);
    end if;
  end if;
  for v_login in
    select l.role
    from portolan.logins l join pg_roles r on r.rolname = l.role
    where not r.rolsuper and (l.kind = 'gateway' or not account.role_made)
  loop
    perform portolan.grant_role(account.role, v_login, false);
  end loop;
end
$$;

comment on function portolan.join_roles(portolan.users) is 'Gives the role of an account its memberships.';

revoke execute on function portolan.join_roles(portolan.users) from public;
