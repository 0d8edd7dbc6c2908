-- OpenID Connect. An account has an identifier for all clients, and a seed for those that differ from client to client (Core §8).
alter table portolan.users
  add column openid_sub uuid not null default gen_random_uuid(),
  add column openid_seed uuid not null default gen_random_uuid();
alter table portolan.clients
  add column id_token_signed_response_alg text not null default 'RS256'
    constraint clients_id_token_alg check (id_token_signed_response_alg in ('RS256', 'ES256')),
  add column subject_type text constraint clients_subject_type check (subject_type in ('public', 'pairwise')),
  add column sector_identifier_uri text
    constraint clients_sector_identifier check (sector_identifier_uri ~ '^https://[^\s<>"\\]+$' and length(sector_identifier_uri) <= 2000);
-- A browser keeps its sid when the same account signs in again.
alter table portolan.sessions add column sid uuid not null default gen_random_uuid();

drop function if exists portolan.rotate_signing_key(text, jsonb, jsonb, boolean);
drop function if exists portolan.create_client(text, text, text[], boolean, boolean, text[], text, text, text, text);
drop function if exists portolan.list_clients(text[]);
