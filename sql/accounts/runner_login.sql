-- Lets the runner log in, with a SCRAM verifier that the gateway derived from its secret. It is neither superuser nor
-- owner, inherits nothing, and may become only the roles of accounts that cannot log in.
create or replace function portolan.runner_login(verifier text, connections integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may alter roles
as $$
begin
  perform portolan.one_at_a_time(); -- PostgreSQL refuses to change one role twice at once
  perform portolan.set_login(portolan.runner_role(), verifier, connections);
end
$$;
