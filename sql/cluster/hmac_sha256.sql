-- HMAC-SHA-256 (RFC 2104), since pgcrypto need not be there. Null where the key is null.
create or replace function portolan.hmac_sha256(key bytea, message bytea) returns bytea
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_keys bytea[] := portolan.hmac_keys(key);
begin
  return sha256(v_keys[2] || sha256(v_keys[1] || message));
end
$$;

-- The inner and the outer key of HMAC-SHA-256: the key in a block of 64 bytes, each byte changed by 0x36 and 0x5c.
create or replace function portolan.hmac_keys(key bytea) returns bytea[]
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_block bytea := case when length(key) > 64 then sha256(key) else key end;
  v_inner bytea;
  v_outer bytea;
begin
  v_block := v_block || decode(repeat('00', 64 - length(v_block)), 'hex');
  v_inner := v_block;
  v_outer := v_block;
  for i in 0..63 loop
    v_inner := set_byte(v_inner, i, get_byte(v_block, i) # 54);
    v_outer := set_byte(v_outer, i, get_byte(v_block, i) # 92);
  end loop;
  return array[v_inner, v_outer];
end
$$;
