-- A text that cannot be guessed: 64 hexadecimal digits from PostgreSQL's strong random numbers.
create or replace function portolan.new_secret() returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')
$$;
