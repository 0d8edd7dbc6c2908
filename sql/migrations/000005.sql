-- Stored JSON-RPC methods, and the login under which published ones run for accounts that have none of their own.

-- gateway: statements that the gateway wrote, under the role of any account.
-- runner: published methods, under roles that cannot log in; who is behind the connection stands in own_sessions.
alter table portolan.logins add kind text not null default 'gateway'
  constraint logins_kind check (kind in ('gateway', 'runner'));
-- A connection of an account is known by its process and its login: both are new to the gateway whenever it connects.
alter table portolan.own_sessions
  drop column started,
  add login text not null,
  add account text not null;

create table portolan.methods (
  method text primary key
    constraint methods_name_is_legal check (method ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' and method !~* '^rpc\.'),
  q text not null
    constraint methods_q_fits check (octet_length(q) between 1 and 1048576),
  -- name of a parameter or column → name of a type
  type_hints jsonb
    constraint methods_type_hints_is_object check (jsonb_typeof(type_hints) = 'object'),
  -- name of a parameter or column → pattern in the letters of PHP's date()
  type_formats jsonb
    constraint methods_type_formats_is_object check (jsonb_typeof(type_formats) = 'object'),
  output_format text not null default 'json'
    constraint methods_output_format check (output_format in ('json', 'csv', 'ndjson', 'geojson', 'excel')),
  -- the reference system of geometries in the result
  srs integer not null default 4326
    constraint methods_srs check (srs between 1 and 998999),
  description text,
  timeout_ms integer
    constraint methods_timeout_ms check (timeout_ms between 1 and 86400000),
  max_rows integer
    constraint methods_max_rows check (max_rows >= 1),
  cache_seconds integer
    constraint methods_cache_seconds check (cache_seconds between 0 and 86400),
  -- null: the operator wrote it, or the account is gone; then nobody may call it until it is published
  owner text references portolan.users (name) on update cascade on delete set null,
  published boolean not null default false,
  -- what a dry run found, and of which relations; void when one of them has another shape now
  input_schema json,
  output_schema json,
  relations oid[],
  relations_stamp text,
  created_at timestamptz not null default now()
);
create index methods_owner on portolan.methods (owner);
alter table portolan.methods enable row level security;

insert into portolan.generations (subject) values ('methods');

drop function if exists portolan.bind_own_session(integer, inet);
drop function if exists portolan.own_login(text, text, integer);
