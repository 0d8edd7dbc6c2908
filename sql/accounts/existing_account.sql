-- The row of an account. Raises PX400 for an impossible name, PX404 for an unknown one.
create or replace function portolan.existing_account(name text) returns portolan.users
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_user portolan.users;
begin
  select u.* into v_user from portolan.users u where u.name = portolan.account_name(existing_account.name);
  if not found then
    raise exception 'there is no account "%"', lower(existing_account.name) using errcode = 'PX404';
  end if;
  return v_user;
end
$$;
