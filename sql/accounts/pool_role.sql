-- The login of the connections that requests share. No account can have this name.
create or replace function portolan.pool_role() returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: the gateway may not call role_name
as $$
  select portolan.role_name('.pool')
$$;
