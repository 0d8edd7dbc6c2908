-- How a client proves who it is by its own key (RFC 7523), and where its parameters wait that it has pushed (RFC 9126).
alter table portolan.clients
  drop constraint clients_authentication,
  add constraint clients_authentication
    check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  add column token_endpoint_auth_signing_alg text
    constraint clients_assertion_alg check (token_endpoint_auth_signing_alg in ('ES256', 'PS256', 'RS256')),
  add column jwks jsonb
    constraint clients_jwks check (jsonb_typeof(jwks -> 'keys') = 'array' and length(jwks::text) <= 20000),
  add column jwks_uri text
    constraint clients_jwks_uri check (jwks_uri ~ '^https?://[^\s<>"\\#]+$' and length(jwks_uri) <= 2000),
  add column require_par boolean not null default false;

-- The `jti` of assertions and proofs, as long as one could come again. Nothing is lost that a crash of PostgreSQL may not take.
create unlogged table portolan.used_ids (
  hash text primary key,
  expires_at timestamptz not null
);
create index used_ids_expires_at on portolan.used_ids (expires_at);

create table portolan.pushed_requests (
  hash text primary key,
  client_id text not null,
  parameters jsonb not null,
  -- the network that it came from
  address text,
  -- until somebody opens it; a person may then take a while to sign in
  expires_at timestamptz not null,
  opened_at timestamptz
);

drop function if exists portolan.list_clients(text[]);
