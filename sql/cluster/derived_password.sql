-- The password of a login that Portolan makes: HMAC-SHA-256 (RFC 2104) of its role under the secret of the database, as the
-- gateway derives it (server/kernel/database/loginPasswords.ts, whose version of the derivation is `version`).
create or replace function portolan.derived_password(role text, version integer) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key bytea := (select convert_to(s.value #>> '{}', 'UTF8') from portolan.settings s where s.name = 'own_sql_secret');
  v_message bytea := convert_to('portolan-own-sql', 'UTF8') || '\x00' || convert_to(version::text, 'UTF8') || '\x00'
    || convert_to(role, 'UTF8');
begin
  return translate(rtrim(encode(portolan.hmac_sha256(v_key, v_message), 'base64'), '='), '+/', '-_');
end
$$;
