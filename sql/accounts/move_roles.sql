-- Changes the memberships of an account's role: revokes those of `before` and grants those of `after`, which are its group
-- and owner@. It writes the group and the super user flag too. Raises PX400 for an unknown group and for a role that
-- Portolan did not make, PX409 for a circle of groups and for the last super user.
create or replace function portolan.move_roles(before portolan.users, after portolan.users) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if before.name = 'anonymous' then
    raise exception 'anonymous has no group and is no super user' using errcode = 'PX400';
  end if;
  if not before.role_made then
    raise exception 'the role of "%" was not made by Portolan, which does not change it', before.name
      using errcode = 'PX400';
  end if;
  if after.user_group = after.name then
    raise exception 'the account "%" cannot be its own group', after.name using errcode = 'PX400';
  end if;
  if after.user_group is not null and not exists (
    select from portolan.users u where u.name = after.user_group and u.name <> 'anonymous'
  ) then
    raise exception 'the group "%" is no account', after.user_group using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = after.user_group and u.superuser) then
    raise exception 'the group "%" is a super user: its members would be super users too', after.user_group
      using errcode = 'PX400';
  end if;
  if after.superuser and exists (select from portolan.users u where u.user_group = after.name) then
    raise exception 'the account "%" is the group of others, who would be super users too', after.name
      using errcode = 'PX409';
  end if;
  if before.superuser and not after.superuser then
    if not exists (select from portolan.users u where u.superuser and u.name <> before.name) then
      raise exception 'the account "%" is the last super user', before.name using errcode = 'PX409';
    end if;
    execute format('revoke %I from %I', portolan.role_name('owner'), before.role);
  end if;
  if before.user_group is distinct from after.user_group and before.user_group is not null then
    execute format('revoke %I from %I', (select u.role from portolan.users u where u.name = before.user_group),
      before.role);
  end if;
  -- the memberships of an account are read from its row
  update portolan.users u set user_group = after.user_group, superuser = after.superuser where u.name = after.name;
  begin
    perform portolan.join_roles(after);
  exception
    when invalid_grant_operation then
      raise exception 'the group "%" is a member of "%" itself', after.user_group, after.name using errcode = 'PX409';
  end;
end
$$;
