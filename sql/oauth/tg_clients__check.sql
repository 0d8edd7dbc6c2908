-- Checks the row of a client in every write: its name, redirect URIs, grants and account, and that a public client has
-- no secret. Raises PX400.
create or replace function portolan.tg_clients__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- made by npm run docs of server/kernel/identity/grants.ts
  v_grants constant text[] := '{authorization_code,refresh_token,device_code,password,client_credentials,token_exchange,jwt_bearer}';
  v_uri text;
begin
  new.name := coalesce(new.name, new.id);
  new.redirect_uri := coalesce(new.redirect_uri, '{}');
  foreach v_uri in array new.redirect_uri loop
    if not portolan.is_redirect_uri(v_uri) then
      raise exception 'the redirect URI "%" must be https, or http on 127.0.0.1, [::1] or localhost, without user-info, fragment and dot segments', v_uri
        using errcode = 'PX400';
    end if;
  end loop;
  new.post_logout_redirect_uris := coalesce(new.post_logout_redirect_uris, '{}');
  foreach v_uri in array new.post_logout_redirect_uris loop
    if not portolan.is_redirect_uri(v_uri) then
      raise exception 'the address after sign-out "%" must be a valid redirect URI', v_uri using errcode = 'PX400';
    end if;
  end loop;
  if cardinality(new.redirect_uri) > 100 or cardinality(new.post_logout_redirect_uris) > 100 then
    raise exception 'a client has at most 100 redirect URIs, and 100 addresses after sign-out' using errcode = 'PX400';
  end if;
  if exists (select from jsonb_array_elements(new.jwks -> 'keys') k where k ?| '{d,p,q,k}') then
    raise exception 'jwks must have public keys only' using errcode = 'PX400';
  end if;
  if not new.grants <@ v_grants then
    raise exception 'a grant must be one of %', array_to_string(v_grants, ', ') using errcode = 'PX400';
  end if;
  if new.public and 'client_credentials' = any (new.grants) then
    raise exception 'a public client cannot have the grant client_credentials, which needs a secret' using errcode = 'PX400';
  end if;
  if new.account is not null then
    new.account := portolan.account_name(new.account);
    if new.account = 'anonymous' or not exists (select from portolan.users u where u.name = new.account) then
      raise exception 'there is no account "%" that a client could act as', new.account using errcode = 'PX400';
    end if;
  end if;
  if new.subject_type = 'pairwise' and new.sector_identifier_uri is null and (
    select count(distinct substring(u from '^https?://([^/?]*)')) > 1 from unnest(new.redirect_uri) u)
  then
    raise exception 'a client with pairwise subjects and redirect URIs at several hosts needs a sector_identifier_uri'
      using errcode = 'PX400';
  end if;
  if new.public and not new.require_pkce then
    raise exception 'only a confidential client may do without PKCE' using errcode = 'PX400';
  end if;
  if new.token_endpoint_auth_method = 'private_key_jwt' and not new.public then
    if num_nonnulls(new.jwks, new.jwks_uri) <> 1 then
      raise exception 'a client that signs assertions (private_key_jwt) has its public keys in jwks, or at jwks_uri' using errcode = 'PX400';
    end if;
    new.secret_hash := null;
  end if;
  if portolan.is_fapi2_client(new) then
    -- FAPI 2.0 Security Profile, 5.3.2 and 5.4.1
    if new.token_endpoint_auth_signing_alg = 'RS256' then
      raise exception 'a client of the FAPI 2.0 profile signs by ES256 or PS256' using errcode = 'PX400';
    end if;
    new.id_token_signed_response_alg := 'ES256';
    new.code_lifetime_seconds := least(new.code_lifetime_seconds, 60);
    new.require_pkce := true;
  end if;
  if new.public then
    new.secret_hash := null;
    new.token_endpoint_auth_method := null;
  end if;
  return new;
end
$$;
