-- The account whose things the caller may see and end, as own_things, which says more. Raises 42501 for the default user,
-- whose account everybody may use, and where no account is known.
create or replace function portolan.own_account() returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_own constant text := portolan.own_things();
begin
  if v_own = '' then
    raise exception 'everybody may use the account "%", so only a super user may see and end its own',
      (select u.name from portolan.users u where u.default_user)
      using errcode = 'insufficient_privilege';
  end if;
  return v_own;
end
$$;
