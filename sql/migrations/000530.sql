-- What a client has asked for beside the scope is kept with the code, the device's request and the family of tokens. Members of
-- asked: resource (RFC 8707; absent: the service).
alter table portolan.authorization_codes add column asked jsonb not null default '{}';
alter table portolan.device_requests add column asked jsonb not null default '{}';
alter table portolan.token_families add column asked jsonb not null default '{}';

-- The resources that an account lets a client use; the empty text is the service.
alter table portolan.consents add column resources text[] not null default '{""}';

drop function if exists portolan.use_code(text, text, text, text, uuid, uuid, integer, integer);
drop function if exists portolan.poll_device(text, text, uuid, uuid, integer, integer);
drop function if exists portolan.rotate_refresh_token(uuid, uuid, text, uuid, text, integer, integer);
drop function if exists portolan.start_family(uuid, uuid, text, text, text, bigint, integer, integer);
