-- The accounts of these names, or all accounts (null), by name. Everybody may call it over REST; an account that is not
-- a super user sees only itself. Security invoker, so that the view knows the caller. Raises PX404 for an unknown name,
-- 42501 for an account that the caller may not see.
create or replace function portolan.list_users(names text[] default null) returns setof portolan.visible_users
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_missing text;
begin
  select wanted.name into v_missing
  from unnest(names) wanted (name)
  where not exists (select from portolan.visible_users u where u.name = wanted.name)
  limit 1;
  if (names is null or v_missing is not null)
    and not pg_has_role(current_user, 'owner@' || current_database(), 'usage')
  then
    raise exception 'an account may only see itself' using errcode = 'insufficient_privilege';
  end if;
  if v_missing is not null then
    raise exception 'there is no account "%"', v_missing using errcode = 'PX404';
  end if;
  return query
    select u.name, u.email, u.user_group, u.properties, u.superuser, u.last_sign_in, u.locked_until,
      u.user_groups, u.default_user, u.email_verified, u.two_factor, u.allow_signup, u.social_signup
    from portolan.visible_users u
    where names is null or u.name = any (names)
    order by u.name;
end
$$;
