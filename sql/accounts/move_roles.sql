-- Changes the memberships of an account's role: revokes those of `before` and grants those of `after`, which are its groups
-- and owner@. It writes the groups and the super user flag too. Raises PX400 for an unknown group and for a role that
-- Portolan did not make, PX409 for a circle of groups and for the last super user.
create or replace function portolan.move_roles(before portolan.users, after portolan.users) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_left text;
  v_member text;
begin
  if before.name = 'anonymous' then
    raise exception 'anonymous cannot have a group or be a super user' using errcode = 'PX400';
  end if;
  if not before.role_made then
    raise exception 'Portolan did not make the role of "%" and does not change it', before.name
      using errcode = 'PX400';
  end if;
  perform portolan.check_groups(after.name, after.user_groups);
  -- checked for these groups only: PostgreSQL would check every account first
  select g.name into v_member
  from unnest(after.user_groups) g (name)
  where pg_has_role((select u.role from portolan.users u where u.name = g.name), after.role, 'member')
  limit 1;
  if found then
    raise exception 'the group "%" is a member of "%" itself', v_member, after.name using errcode = 'PX409';
  end if;
  if after.superuser and exists (select from portolan.users u where after.name = any (u.user_groups)) then
    raise exception 'the account "%" is the group of others, who would be super users too', after.name
      using errcode = 'PX409';
  end if;
  if before.superuser and not after.superuser then
    if not exists (select from portolan.users u where u.superuser and u.name <> before.name) then
      raise exception 'the account "%" is the last super user', before.name using errcode = 'PX409';
    end if;
    execute format('revoke %I from %I', portolan.role_name('owner'), before.role);
  end if;
  for v_left in
    select u.role
    from (select unnest(before.user_groups) except select unnest(after.user_groups)) g (name)
      join portolan.users u on u.name = g.name
  loop
    execute format('revoke %I from %I', v_left, before.role);
  end loop;
  -- the memberships of an account are read from its row
  update portolan.users u
  set user_group = after.user_groups[1], further_groups = after.user_groups[2:], superuser = after.superuser
  where u.name = after.name;
  perform portolan.join_roles(array[after.name]);
  perform portolan.follow_groups_on_shards();
end
$$;
