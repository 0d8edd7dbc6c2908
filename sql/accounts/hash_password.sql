-- The stored form of a password. A hash (argon2, bcrypt, scrypt) stays as it is; a text is hashed with bcrypt, which the
-- gateway replaces by argon2id at the first sign-in. Raises PX400.
create or replace function portolan.hash_password(password text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schema text;
  v_hash text;
begin
  if password is null then
    return null;
  end if;
  if password ~ '^\$(argon2(id|i|d)\$v=\d+\$[mtp]=\d+,[mtp]=\d+,[mtp]=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+|2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}|scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+)$' then
    return password;
  end if;
  if octet_length(password) not between 1 and 1024 then
    raise exception 'a password must have 1 to 1024 bytes' using errcode = 'PX400';
  end if;
  -- bcrypt reads at most 72 bytes and would silently cut the rest
  if octet_length(password) > 72 then
    raise exception 'a password of more than 72 bytes must be passed as an argon2 hash' using errcode = 'PX400';
  end if;
  select n.nspname into v_schema
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pgcrypto';
  if v_schema is null then
    raise exception 'without the extension pgcrypto a password must be passed as a hash (argon2, bcrypt or scrypt)'
      using errcode = 'PX400', hint = 'create extension pgcrypto';
  end if;
  execute format('select %1$I.crypt($1, %1$I.gen_salt(''bf'', 10))', v_schema) into v_hash using password;
  return v_hash;
end
$$;
