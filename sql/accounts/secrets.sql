-- The secrets that only the gateway may know: the newest private signing keys, one for each algorithm, and the secret of own logins. The gateway calls
-- it as its own login.
create or replace function portolan.secrets() returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may read the private halves
as $$
  select jsonb_build_object(
    'signing_key', (
      select jsonb_build_object('kid', k.kid, 'alg', k.alg, 'jwk', k.private_jwk)
      from portolan.signing_keys k
      where k.alg = 'ES256'
        and k.signs_from <= clock_timestamp() and (k.retired_at is null or k.retired_at > clock_timestamp())
      order by k.signs_from desc, k.created_at desc, k.kid
      limit 1),
    'rsa_signing_key', (
      select jsonb_build_object('kid', k.kid, 'alg', k.alg, 'jwk', k.private_jwk)
      from portolan.signing_keys k
      where k.alg = 'RS256'
        and k.signs_from <= clock_timestamp() and (k.retired_at is null or k.retired_at > clock_timestamp())
      order by k.signs_from desc, k.created_at desc, k.kid
      limit 1),
    'own_sql_secret', (select s.value from portolan.settings s where s.name = 'own_sql_secret'))
$$;
