-- Whether a client is one of the FAPI 2.0 Security Profile: it signs assertions, pushes its requests, and gets only tokens that
-- are bound to its key.
create or replace function portolan.is_fapi2_client(client portolan.clients) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(client.token_endpoint_auth_method = 'private_key_jwt', false)
    and client.require_par and client.dpop_bound_access_tokens
$$;
