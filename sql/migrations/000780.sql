-- What the console's own cookie of a browser's session refers to: the hash of its value, when it was given, and the tokens that
-- it has given, which end with the session. `id` is the one in portolan.visible_sessions: nobody can sign in with it.
alter table portolan.sessions
  add console_hash text unique,
  add console_at timestamptz,
  add console_family uuid,
  add id text generated always as (coalesce(console_family::text, left(encode(sha256(hash::bytea), 'hex'), 32))) stored;
