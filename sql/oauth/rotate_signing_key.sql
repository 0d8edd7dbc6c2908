-- Publishes a new signing key, which signs after 5 seconds, when every process has read it. The older keys sign until then,
-- and verify until their tokens have expired. The operator calls it (`portolan keys rotate`). at_once: the older keys are
-- deleted now, and every token that they signed ends. alg: ES256, which signs access and refresh tokens, or RS256, which
-- signs ID tokens for clients that know no other. Only keys of that algorithm are replaced.
create or replace function portolan.rotate_signing_key(
  kid text,
  public_jwk jsonb,
  private_jwk jsonb,
  at_once boolean default false,
  alg text default 'ES256'
) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_from timestamptz := clock_timestamp() + case when at_once then interval '0' else interval '5 seconds' end;
begin
  if at_once then
    delete from portolan.signing_keys k where k.alg = rotate_signing_key.alg;
  else
    update portolan.signing_keys k set retired_at = v_from where k.retired_at is null and k.alg = rotate_signing_key.alg;
  end if;
  insert into portolan.signing_keys (kid, alg, public_jwk, private_jwk, signs_from)
  values (kid, alg, public_jwk, private_jwk, v_from);
  insert into portolan.audit (event, account, address, details)
  values ('keys.rotated', session_user, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor(), 'kid', kid, 'alg', alg, 'at_once', at_once));
end
$$;
