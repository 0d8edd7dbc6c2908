-- Replaces the hash of a password by a stronger one of the same password; tokens stay. The gateway calls it after a sign-in
-- against a bcrypt or scrypt hash. A password that was changed meanwhile stays.
create or replace function portolan.rehash_password(name text, known text, password_hash text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.users
as $$
  update portolan.users u
  set password = password_hash
  where u.name = rehash_password.name and u.password = known and password_hash like '$argon2id$%'
$$;
