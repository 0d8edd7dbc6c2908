-- The value of the super users' member social_signup for the database: null where none sets it, false where one sets false.
-- The gateway calls it.
create or replace function portolan.providers_of() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read accounts
as $$
  select bool_and(u.social_signup) from portolan.users u where u.superuser
$$;
