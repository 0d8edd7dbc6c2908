-- How many recovery codes of an account are left. The gateway calls it.
create or replace function portolan.recovery_codes_of(name text) returns integer
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select count(*)::integer from portolan.recovery_codes r where r.user_name = name
$$;
