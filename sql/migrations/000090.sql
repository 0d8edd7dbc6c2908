-- The grant client_credentials (RFC 6749 §4.4): a confidential client asks for a token by itself, as the account that it is
-- given. An account that goes takes that away, so that another of the same name does not inherit a client.
alter table portolan.clients
  add column account text references portolan.users (name) on update cascade on delete set null,
  drop constraint clients_grants_are_known,
  add constraint clients_grants_are_known check (
    grants <@ array['authorization_code', 'refresh_token', 'device_code', 'password', 'client_credentials']
    and array_position(grants, null) is null),
  add constraint clients_public_has_no_credentials check (not (public and 'client_credentials' = any (grants)));
create index clients_account on portolan.clients (account);

-- Each comes back with what is new: a further parameter that has a default, and a further column.
drop function if exists portolan.create_client(text, text, text[], boolean, boolean, text[], text, text, text);
drop function if exists portolan.list_clients(text[]);
