-- OAuth 2.0: clients, what was granted to them, and who is signed in. Nobody but the owner and the gateway's login may
-- touch these tables; what super users may do with them stands in sql/functions/. Tokens, codes, secrets and links are
-- kept as SHA-256 hashes: they are random, so that nothing slower is needed.

create table portolan.clients (
  id text primary key default gen_random_uuid()::text
    constraint clients_id_is_legal check (id ~ '^[A-Za-z0-9._~:@-]{1,100}$'),
  -- shown on the consent page; the id where it is left out
  name text not null
    constraint clients_name_fits check (length(name) between 1 and 200),
  -- compared character by character
  redirect_uri text[] not null default '{}',
  homepage text
    constraint clients_homepage_is_web check (homepage ~ '^https?://[^\s<>"\\]+$' and length(homepage) <= 2000),
  description text,
  -- a client that cannot keep a secret: an app in a browser or on somebody's machine
  public boolean not null default false,
  -- whether the account is asked before the client gets a token
  confirm boolean not null default true,
  grants text[] not null default '{authorization_code,refresh_token,device_code}'
    constraint clients_grants_are_known check (
      grants <@ array['authorization_code', 'refresh_token', 'device_code', 'password']
      and array_position(grants, null) is null),
  -- SHA-256, hexadecimal; null for a public client, and for one that waits for its secret
  secret_hash text
    constraint clients_secret_is_hashed check (secret_hash ~ '^[0-9a-f]{64}$'),
  access_token_lifetime_seconds integer not null default 3600
    constraint clients_access_token_lifetime check (access_token_lifetime_seconds between 1 and 31536000),
  -- from the last refresh
  refresh_token_lifetime_seconds integer not null default 86400
    constraint clients_refresh_token_lifetime check (refresh_token_lifetime_seconds between 1 and 31536000),
  code_lifetime_seconds integer not null default 120
    constraint clients_code_lifetime check (code_lifetime_seconds between 1 and 600),
  device_code_lifetime_seconds integer not null default 1800
    constraint clients_device_code_lifetime check (device_code_lifetime_seconds between 1 and 86400),
  device_poll_interval_seconds integer not null default 5
    constraint clients_device_poll_interval check (device_poll_interval_seconds between 1 and 300),
  -- what an old refresh token does after its 30 seconds: refuse ends all of its family, allow takes it until it expires
  refresh_reuse text not null default 'refuse'
    constraint clients_refresh_reuse check (refresh_reuse in ('refuse', 'allow')),
  created_at timestamptz not null default now()
);

-- All tokens that one authorization gave: they end together.
create table portolan.token_families (
  id uuid primary key,
  client_id text not null references portolan.clients (id) on update cascade on delete cascade,
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  scope text not null default '',
  -- the account's when the authorization was given: a new password ends it
  token_version bigint not null,
  created_at timestamptz not null default now(),
  -- no token of it is valid after that
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index token_families_client_id on portolan.token_families (client_id);
create index token_families_user_name on portolan.token_families (user_name);
create index token_families_expires_at on portolan.token_families (expires_at);

-- The refresh tokens of a family that still count: the newest, and those that were rotated moments ago.
create table portolan.refresh_tokens (
  id uuid primary key,
  family uuid not null references portolan.token_families (id) on delete cascade,
  rotated_at timestamptz,
  -- the token that came after it, encrypted under the token itself: only who holds the old one can read the new one
  successor text
);
create index refresh_tokens_family on portolan.refresh_tokens (family);
create index refresh_tokens_rotated_at on portolan.refresh_tokens (rotated_at) where rotated_at is not null;

create table portolan.authorization_codes (
  hash text primary key,
  client_id text not null references portolan.clients (id) on update cascade on delete cascade,
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  redirect_uri text not null,
  scope text not null default '',
  -- S256 of the verifier (RFC 7636 section 4.2)
  code_challenge text not null,
  token_version bigint not null,
  expires_at timestamptz not null,
  -- what it gave when it was used
  family uuid references portolan.token_families (id) on delete cascade
);
create index authorization_codes_client_id on portolan.authorization_codes (client_id);
create index authorization_codes_user_name on portolan.authorization_codes (user_name);
create index authorization_codes_family on portolan.authorization_codes (family);
create index authorization_codes_expires_at on portolan.authorization_codes (expires_at);

create table portolan.device_requests (
  device_code_hash text primary key,
  user_code text not null unique,
  client_id text not null references portolan.clients (id) on update cascade on delete cascade,
  scope text not null default '',
  interval_seconds integer not null,
  last_polled_at timestamptz,
  expires_at timestamptz not null,
  -- the network that asked
  address text not null default '',
  -- null until the account has decided
  decision text
    constraint device_requests_decision check (decision in ('granted', 'denied')),
  user_name text references portolan.users (name) on update cascade on delete cascade,
  token_version bigint,
  -- what it gave when it was fetched
  family uuid references portolan.token_families (id) on delete cascade
);
create index device_requests_client_id on portolan.device_requests (client_id);
create index device_requests_user_name on portolan.device_requests (user_name);
create index device_requests_family on portolan.device_requests (family);
create index device_requests_expires_at on portolan.device_requests (expires_at);
create index device_requests_address on portolan.device_requests (address);

-- What accounts have allowed clients, so that they are asked once.
create table portolan.consents (
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  client_id text not null references portolan.clients (id) on update cascade on delete cascade,
  scopes text[] not null default '{}',
  given_at timestamptz not null default now(),
  primary key (user_name, client_id)
);
create index consents_client_id on portolan.consents (client_id);

-- Browsers that are signed in at /auth and /device.
create table portolan.sessions (
  hash text primary key,
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  token_version bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_name on portolan.sessions (user_name);
create index sessions_expires_at on portolan.sessions (expires_at);

-- Links that let an account set a first or a forgotten password, once.
create table portolan.one_time_links (
  hash text primary key,
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  expires_at timestamptz not null
);
create index one_time_links_user_name on portolan.one_time_links (user_name);

-- Failures to sign in, by a hash of what failed from where: a name may be a password typed into the wrong field.
create table portolan.lockouts (
  key text primary key,
  failures integer not null default 0,
  last_failure_at timestamptz not null default clock_timestamp(),
  locked_until timestamptz not null default '-infinity'
);
create index lockouts_last_failure_at on portolan.lockouts (last_failure_at);

-- Where accounts have signed in: what fails elsewhere does not lock them there.
create table portolan.known_addresses (
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  address text not null,
  signed_in_at timestamptz not null default now(),
  primary key (user_name, address)
);
create index known_addresses_signed_in_at on portolan.known_addresses (signed_in_at);

-- Who did what at this door. Never a secret, a token or a code.
create table portolan.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  account text,
  client_id text,
  address text,
  details jsonb not null default '{}'
);
create index audit_at on portolan.audit (at);

-- A new key is published before it signs, so that every process knows it when the first token of it comes.
alter table portolan.signing_keys add column signs_from timestamptz not null default now();

insert into portolan.generations (subject) values ('clients'), ('tokens');

-- For operators and command-line tools, and for a tool that exists.
insert into portolan.clients (id, name, public, redirect_uri, confirm, grants) values
  ('portolan-cli', 'Portolan command line', true, '{http://127.0.0.1:7576/callback}', true,
    '{authorization_code,refresh_token,device_code,password}'),
  ('gc2-cli', 'GC2 command line', true, '{http://127.0.0.1:5657/auth/callback}', false,
    '{authorization_code,refresh_token,device_code}');
