-- Tokens that are bound to a key of the client (RFC 9449).
alter table portolan.clients add column dpop_bound_access_tokens boolean not null default false;

drop function if exists portolan.list_clients(text[]);
drop function if exists portolan.use_code(text, text, text, text, text, uuid, uuid, integer, integer, text);
