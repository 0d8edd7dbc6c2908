-- The verifier that PostgreSQL keeps of a password (RFC 5802, RFC 7677), so that no log of a server holds the password. The
-- gateway has the same (server/kernel/database/scram.ts).
create or replace function portolan.scram_verifier(password text) returns text
  language plpgsql volatile strict
  set search_path = pg_catalog, pg_temp
as $$
declare
  c_iterations constant integer := 4096;
  v_salt bytea := substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);
  v_keys bytea[] := portolan.hmac_keys(convert_to(password, 'UTF8'));
  v_inner bytea := v_keys[1];
  v_outer bytea := v_keys[2];
  v_round bytea := v_salt || '\x00000001';
  v_sum bit(256) := repeat('0', 256)::bit(256);
  v_salted bytea := '';
begin
  for i in 1..c_iterations loop
    v_round := sha256(v_outer || sha256(v_inner || v_round));
    v_sum := v_sum # ('x' || encode(v_round, 'hex'))::bit(256);
  end loop;
  for i in 0..7 loop
    v_salted := v_salted || int4send(substring(v_sum from i * 32 + 1 for 32)::integer);
  end loop;
  return format('SCRAM-SHA-256$%s:%s$%s:%s', c_iterations, encode(v_salt, 'base64'),
    encode(sha256(portolan.hmac_sha256(v_salted, 'Client Key')), 'base64'),
    encode(portolan.hmac_sha256(v_salted, 'Server Key'), 'base64'));
end
$$;
