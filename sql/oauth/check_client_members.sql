-- Checks the names of members of a client that are to be changed. Raises PX400.
create or replace function portolan.check_client_members(members jsonb) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(members) <> 'object' then
    raise exception 'the members of a client must be a JSON object' using errcode = 'PX400';
  end if;
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(members) c (key)
  where c.key not in (
    'name', 'redirect_uri', 'homepage', 'description', 'public', 'confirm', 'grants', 'refresh_reuse', 'account',
    'access_token_lifetime_seconds', 'refresh_token_lifetime_seconds', 'code_lifetime_seconds',
    'device_code_lifetime_seconds', 'device_poll_interval_seconds',
    'id_token_signed_response_alg', 'subject_type', 'sector_identifier_uri',
    'post_logout_redirect_uris', 'backchannel_logout_uri',
    'disabled', 'require_pkce', 'token_endpoint_auth_method', 'token_endpoint_auth_signing_alg',
    'jwks', 'jwks_uri', 'require_par', 'dpop_bound_access_tokens');
  if v_unknown is not null then
    raise exception 'a client has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
end
$$;
