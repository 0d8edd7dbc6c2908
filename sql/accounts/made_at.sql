-- When an account was made. Earlier actions under its name were those of another account, which has been removed.
create or replace function portolan.made_at(account text) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select u.created_at from portolan.users u where u.name = made_at.account
$$;
