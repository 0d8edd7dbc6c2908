-- The login that runs published methods for accounts on this role, which Portolan did not make. No account can have this
-- name.
create or replace function portolan.runner_role(role text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: the gateway may not call role_name
as $$
  select portolan.role_name('.runner-' || left(md5(role), 12))
$$;
