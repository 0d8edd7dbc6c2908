-- Raises PX400 for a super user as the default user, because everybody gets its guest tokens, and PX409 where another
-- account is the default user.
create or replace function portolan.check_default_user(account portolan.users) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_other text;
begin
  if not account.default_user then
    return;
  end if;
  if account.superuser or account.name = 'anonymous' then
    raise exception 'guest tokens are for everybody: "%" cannot be the default user', account.name using errcode = 'PX400';
  end if;
  select u.name into v_other from portolan.users u where u.default_user and u.name <> account.name;
  if found then
    raise exception 'the account "%" is the default user of this database', v_other using errcode = 'PX409';
  end if;
end
$$;
