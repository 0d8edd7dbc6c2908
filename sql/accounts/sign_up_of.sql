-- The value of the super users' member allow_signup for the database: null where none sets it, false where one sets false.
-- The gateway calls it.
create or replace function portolan.sign_up_of() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read accounts
as $$
  select bool_and(u.allow_signup) from portolan.users u where u.superuser
$$;
