-- The clients of these ids, or all clients (null), by id, without the hashes of their secrets. Raises PX404 for an unknown
-- id.
create or replace function portolan.list_clients(ids text[] default null) returns table (
  id text,
  name text,
  redirect_uri text[],
  homepage text,
  description text,
  public boolean,
  confirm boolean,
  grants text[],
  refresh_reuse text,
  account text,
  id_token_signed_response_alg text,
  subject_type text,
  sector_identifier_uri text,
  post_logout_redirect_uris text[],
  backchannel_logout_uri text,
  disabled boolean,
  require_pkce boolean,
  token_endpoint_auth_method text,
  origin text,
  token_endpoint_auth_signing_alg text,
  jwks jsonb,
  jwks_uri text,
  require_par boolean,
  dpop_bound_access_tokens boolean,
  access_token_lifetime_seconds integer,
  refresh_token_lifetime_seconds integer,
  code_lifetime_seconds integer,
  device_code_lifetime_seconds integer,
  device_poll_interval_seconds integer
)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.clients
as $$
begin
  perform portolan.existing_client(wanted.id) from unnest(ids) wanted (id);
  return query
    select c.id, c.name, c.redirect_uri, c.homepage, c.description, c.public, c.confirm, c.grants, c.refresh_reuse,
      c.account, c.id_token_signed_response_alg, c.subject_type, c.sector_identifier_uri,
      c.post_logout_redirect_uris, c.backchannel_logout_uri,
      c.disabled, c.require_pkce, c.token_endpoint_auth_method, c.origin,
      c.token_endpoint_auth_signing_alg, c.jwks, c.jwks_uri, c.require_par,
      c.dpop_bound_access_tokens, c.access_token_lifetime_seconds, c.refresh_token_lifetime_seconds,
      c.code_lifetime_seconds, c.device_code_lifetime_seconds, c.device_poll_interval_seconds
    from portolan.clients c
    where ids is null or c.id = any (ids)
    order by c.id;
end
$$;
