-- Writes members of a client, for update_client, change_registration and register_client. `imposed`: those that the client must
-- keep, whatever it says of itself; false and null release a member. Raises what update_client raises.
create or replace function portolan.put_client(id text, changes jsonb, imposed jsonb default '{}') returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_client portolan.clients := portolan.existing_client(id);
  v_redirects constant text[] := v_client.redirect_uri;
begin
  perform portolan.check_client_members(changes);
  v_client := jsonb_populate_record(v_client, changes);
  if v_client.origin <> 'administrator' then
    v_client.imposed := coalesce((
      select jsonb_object_agg(m.key, m.value)
      from jsonb_each(v_client.imposed || coalesce(put_client.imposed, '{}')) m
      where m.value not in ('false', 'null')), '{}');
  end if;
  if v_client.id = 'portolan-console' and v_client.redirect_uri <> v_redirects then
    raise exception 'nobody could sign in to the console: the client "portolan-console" follows the address of the service'
      using errcode = 'PX409';
  end if;
  -- a client that waits for another account may be changed otherwise
  if 'client_credentials' = any (v_client.grants) and v_client.account is null and changes ?| '{grants,account}' then
    raise exception 'the grant client_credentials needs the account that the client acts as' using errcode = 'PX400';
  end if;
  update portolan.clients c
  set
    name = v_client.name,
    redirect_uri = v_client.redirect_uri,
    homepage = v_client.homepage,
    description = v_client.description,
    public = v_client.public,
    confirm = v_client.confirm,
    grants = v_client.grants,
    refresh_reuse = v_client.refresh_reuse,
    account = v_client.account,
    access_token_lifetime_seconds = v_client.access_token_lifetime_seconds,
    refresh_token_lifetime_seconds = v_client.refresh_token_lifetime_seconds,
    code_lifetime_seconds = v_client.code_lifetime_seconds,
    device_code_lifetime_seconds = v_client.device_code_lifetime_seconds,
    device_poll_interval_seconds = v_client.device_poll_interval_seconds,
    id_token_signed_response_alg = v_client.id_token_signed_response_alg,
    subject_type = v_client.subject_type,
    sector_identifier_uri = v_client.sector_identifier_uri,
    post_logout_redirect_uris = v_client.post_logout_redirect_uris,
    backchannel_logout_uri = v_client.backchannel_logout_uri,
    disabled = v_client.disabled,
    require_pkce = v_client.require_pkce,
    token_endpoint_auth_method = v_client.token_endpoint_auth_method,
    token_endpoint_auth_signing_alg = v_client.token_endpoint_auth_signing_alg,
    jwks = nullif(v_client.jwks, 'null'),
    jwks_uri = v_client.jwks_uri,
    require_par = v_client.require_par,
    dpop_bound_access_tokens = v_client.dpop_bound_access_tokens,
    imposed = v_client.imposed
  where c.id = v_client.id and c is distinct from v_client;
end
$$;
