-- Makes an account and its PostgreSQL role. Raises PX400 for a bad name, password, group or properties, PX409 when the
-- account or the role exists.
create or replace function portolan.create_user(
  name text,
  password text,
  email text default null,
  user_group text default null,
  properties jsonb default '{}',
  superuser boolean default false
) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may create roles
as $$
declare
  v_name text := portolan.account_name(name);
  v_role text := portolan.role_name(v_name);
  v_user portolan.users;
begin
  perform portolan.one_at_a_time();
  if v_name in ('owner', 'anonymous') then
    raise exception 'the account name "%" is reserved', v_name using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = v_name) then
    raise exception 'the account "%" exists', v_name using errcode = 'PX409';
  end if;
  if to_regrole(quote_ident(v_role)) is not null then
    raise exception 'the role "%" exists, but is no account', v_role
      using errcode = 'PX409', hint = 'portolan.adopt_role makes an account of a role that is there';
  end if;
  if user_group is not null and not exists (
    select from portolan.users u where u.name = lower(create_user.user_group) and u.name <> 'anonymous'
  ) then
    raise exception 'the group "%" is no account', user_group using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = lower(create_user.user_group) and u.superuser) then
    raise exception 'the group "%" is a super user: its members would be super users too', user_group using errcode = 'PX400';
  end if;
  if jsonb_typeof(coalesce(properties, '{}')) <> 'object' then
    raise exception 'properties must be a JSON object' using errcode = 'PX400';
  end if;
  execute format('create role %I nologin', v_role);
  insert into portolan.users (name, role, password, email, user_group, properties, superuser)
  values (v_name, v_role, portolan.hash_password(password), email, lower(user_group), coalesce(properties, '{}'),
    coalesce(superuser, false))
  returning * into v_user;
  perform portolan.join_roles(v_user);
  return v_role;
end
$$;
