-- Changes members of an account: password, email, user_group (null, a name or a list of names), properties, superuser,
-- default_user, email_verified, two_factor, allow_signup, social_signup. An address that changes is not verified. Members that are not in `changes` stay. Raises PX400, PX404, PX409 for a group that is a member of the account
-- itself, for the last super user, and for a second default user.
create or replace function portolan.update_user(name text, changes jsonb) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may write portolan.users and grant roles
as $$
declare
  v_before portolan.users;
  v_after portolan.users;
  v_unknown text;
begin
  perform portolan.one_at_a_time();
  v_before := portolan.existing_account(name);
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in ('password', 'email', 'user_group', 'properties', 'superuser', 'default_user', 'email_verified', 'two_factor', 'allow_signup',
    'social_signup');
  if v_unknown is not null then
    raise exception 'an account has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  v_after := jsonb_populate_record(v_before, changes - '{password,user_group}'::text[]);
  if changes ? 'user_group' then
    v_after.user_groups := portolan.group_list(changes -> 'user_group');
  end if;
  v_after.properties := coalesce(v_after.properties, '{}');
  v_after.superuser := coalesce(v_after.superuser, false);
  v_after.default_user := coalesce(v_after.default_user, false);
  v_after.two_factor := coalesce(v_after.two_factor, false);
  v_after.email_verified := coalesce(v_after.email_verified, false)
    and (changes ? 'email_verified' or v_after.email is not distinct from v_before.email);
  if v_after.email_verified and v_after.email is null then
    raise exception 'the account "%" has no address that could be verified', v_before.name using errcode = 'PX400';
  end if;
  if jsonb_typeof(v_after.properties) <> 'object' then
    raise exception 'properties must be a JSON object' using errcode = 'PX400';
  end if;
  perform portolan.check_default_user(v_after);
  if (v_after.superuser, v_after.user_groups) is distinct from (v_before.superuser, v_before.user_groups) then
    perform portolan.move_roles(v_before, v_after);
  end if;
  update portolan.users u
  set
    email = v_after.email,
    email_verified = v_after.email_verified,
    email_claimed = u.email_claimed and not v_after.email_verified and v_after.email is not distinct from v_before.email,
    properties = v_after.properties,
    default_user = v_after.default_user,
    two_factor = v_after.two_factor,
    allow_signup = v_after.allow_signup,
    social_signup = v_after.social_signup
  where u.name = v_before.name;
  if v_before.default_user and not v_after.default_user then
    perform portolan.end_guests(v_before.name);
  end if;
  if changes ? 'password' then
    perform portolan.set_password(v_before.name, changes ->> 'password');
  end if;
end
$$;
