-- The name of an account as it is stored: lower case, and checked. Raises PX400.
create or replace function portolan.account_name(name text) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := lower(name);
begin
  if v_name is null or v_name !~ '^[a-z_][a-z0-9_-]{0,39}$' then
    raise exception 'an account name must be 1 to 40 of a-z, 0-9, _ and -, and start with a letter or _'
      using errcode = 'PX400';
  end if;
  return v_name;
end
$$;
