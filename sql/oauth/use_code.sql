-- Exchanges an authorization code, once. The row lock decides between parallel requests: the second finds the code
-- used, and ends the tokens of the first (RFC 6749 section 4.1.2). A code that comes with another client, redirect URI
-- or verifier stays valid, so that guessing cannot spoil it. resource: the one that the token request names (the empty
-- text is the service). jkt: the key of its proof (RFC 9449).
-- revoked: the family that has ended, where the code was used before.
-- outcome: granted, or unknown, replayed, other_client, expired, redirect_uri, code_verifier, key, resource, account.
create or replace function portolan.use_code(
  hash text,
  client_id text,
  redirect_uri text,
  code_challenge text,
  family uuid,
  refresh uuid,
  access_seconds integer,
  refresh_seconds integer,
  resource text default null,
  jkt text default null
) returns table (outcome text, user_name text, scope text, asked jsonb, revoked uuid)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read or write codes
as $$
#variable_conflict use_column
declare
  v_code portolan.authorization_codes;
  v_outcome text;
begin
  select c.* into v_code from portolan.authorization_codes c where c.hash = use_code.hash for update;
  v_outcome := case
    when not found then 'unknown'
    when v_code.client_id <> use_code.client_id then 'other_client'
    when v_code.family is not null then 'replayed'
    when v_code.expires_at <= clock_timestamp() then 'expired'
    when v_code.redirect_uri <> use_code.redirect_uri then 'redirect_uri'
    when v_code.code_challenge is distinct from use_code.code_challenge then 'code_verifier'
    when v_code.asked ->> 'dpop_jkt' is distinct from coalesce(use_code.jkt, '') and v_code.asked ? 'dpop_jkt' then 'key'
    when use_code.resource <> coalesce(v_code.asked ->> 'resource', '') then 'resource'
    when not exists (
      select from portolan.users u where u.name = v_code.user_name and u.token_version = v_code.token_version
    ) then 'account'
    else 'granted'
  end;
  if v_outcome = 'replayed' then
    perform portolan.revoke_family(v_code.family, v_code.client_id);
  elsif v_outcome = 'granted' then
    perform portolan.start_family(
      use_code.family, refresh, v_code.client_id, v_code.user_name, v_code.scope, v_code.token_version,
      access_seconds, refresh_seconds, v_code.asked);
    update portolan.authorization_codes c set family = use_code.family where c.hash = v_code.hash;
  end if;
  return query
    select v_outcome, v_code.user_name, v_code.scope, v_code.asked, case v_outcome when 'replayed' then v_code.family end;
end
$$;
