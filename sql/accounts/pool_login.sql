-- Lets the pool of requests log in, with a SCRAM verifier that the gateway derived from its secret. The role inherits
-- nothing, and may only become an account.
create or replace function portolan.pool_login(verifier text, connections integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may alter roles
as $$
begin
  perform portolan.one_at_a_time(); -- PostgreSQL refuses to change one role twice at once
  perform portolan.set_login(portolan.pool_role(), verifier, connections);
end
$$;
