-- Makes an account and its PostgreSQL role. `user_group`: the name of a group, or several names with commas between them.
-- Raises PX400 for a bad name, password, group or properties, PX409 when the
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
  v_groups text[] := portolan.group_list(to_jsonb(regexp_split_to_array(user_group, '\s*,\s*')));
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
    raise exception 'the role "%" exists, but is not an account', v_role
      using errcode = 'PX409', hint = 'portolan.adopt_role makes an account of a role that is there';
  end if;
  perform portolan.check_groups(v_name, v_groups);
  if jsonb_typeof(coalesce(properties, '{}')) <> 'object' then
    raise exception 'properties must be a JSON object' using errcode = 'PX400';
  end if;
  execute format('create role %I nologin', v_role);
  insert into portolan.users (name, role, password, email, user_group, further_groups, properties, superuser)
  values (v_name, v_role, portolan.hash_password(password), email, v_groups[1], v_groups[2:], coalesce(properties, '{}'),
    coalesce(superuser, false))
  returning * into v_user;
  perform portolan.join_roles(array[v_user.name]);
  perform portolan.node_login(v_user);
  if v_groups <> '{}' then
    perform portolan.follow_groups_on_shards();
  end if;
  return v_role;
end
$$;
