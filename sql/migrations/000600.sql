-- Clients that register themselves (RFC 7591), or are described by a document at the address that is their id.
alter table portolan.clients
  add column disabled boolean not null default false,
  add column require_pkce boolean not null default true
    constraint clients_pkce check (require_pkce or not public),
  -- null: whatever fits its secret
  add column token_endpoint_auth_method text
    constraint clients_authentication check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post')),
  -- who has described it: an administrator, the client itself, or the document at its id
  add column origin text not null default 'administrator'
    constraint clients_origin check (origin in ('administrator', 'registration', 'document')),
  -- what it has said of itself and no one here acts on
  add column metadata jsonb not null default '{}',
  -- of the token with which it changes its registration (RFC 7592)
  add column registration_hash text,
  -- the network that registered it without a token
  add column registered_from text,
  drop constraint clients_id_is_legal,
  add constraint clients_id_is_legal check (
    id ~ '^[A-Za-z0-9._~:@-]{1,100}$' or origin = 'document' and length(id) <= 498 and id ~ '^https://[^\s,<>"\\#]+$');

-- A code of such a client is bound by a nonce instead.
alter table portolan.authorization_codes alter column code_challenge drop not null;

-- When a client that nobody here has registered was last allowed something. Those that are not used any more are deleted.
create table portolan.client_uses (
  client_id text primary key references portolan.clients on update cascade on delete cascade,
  used_at timestamptz not null default now()
);

-- Initial access tokens (RFC 7591 section 3): who has one may register clients.
create table portolan.registration_tokens (
  hash text primary key,
  made_by text not null,
  -- members that each of these clients gets
  members jsonb not null default '{}',
  uses_left integer not null,
  expires_at timestamptz not null
);

drop function if exists portolan.list_clients(text[]);
