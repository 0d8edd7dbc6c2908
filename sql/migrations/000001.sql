-- The gateway's own tables: accounts, keys, recorded rights. Nobody but the owner and the gateway's login may touch them;
-- what accounts may see of them stands in sql/views/.

-- Which logins are the gateway's shared pools: on their connections the current role tells the account,
-- on every other connection the login does (see sql/views/me.sql).
create table portolan.logins (
  role text primary key,
  registered_at timestamptz not null default now()
);

create table portolan.settings (
  name text primary key,
  value jsonb not null
);

create table portolan.users (
  name text primary key
    constraint users_name_is_legal check (name ~ '^[a-z_][a-z0-9_-]{0,39}$' and name <> 'owner'),
  role text not null
    constraint users_role_fits check (octet_length(role) between 1 and 63),
  -- whether Portolan made the role; a role that a team brought along is never altered or dropped
  role_made boolean not null default true,
  -- argon2id, bcrypt or scrypt hash; null: this account cannot sign in with a password
  password text,
  email text,
  user_group text references portolan.users (name) on update cascade on delete restrict,
  properties jsonb not null default '{}'
    constraint users_properties_is_object check (jsonb_typeof(properties) = 'object'),
  superuser boolean not null default false,
  -- changes with the password; access tokens carry it, so that those of an older password end
  token_version bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
  -- changes with the SCRAM verifier of the role's own login; null: the role cannot log in yet
  own_login_version integer,
  created_at timestamptz not null default now(),
  constraint users_group_is_another check (user_group <> name)
);
create index users_role on portolan.users (role);
create index users_user_group on portolan.users (user_group);

create table portolan.signing_keys (
  kid text primary key,
  alg text not null default 'ES256',
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  -- from then on it signs no more, but what it signed stays valid until it expires
  retired_at timestamptz
);

-- What set_privilege and set_authentication were told, so that a restored database gets its grants again.
create table portolan.privileges (
  relation regclass not null,
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  privilege text not null constraint privileges_privilege check (privilege in ('read', 'write', 'all')),
  primary key (relation, user_name)
);
create index privileges_user_name on portolan.privileges (user_name);

create table portolan.authentication (
  relation regclass primary key,
  level text not null constraint authentication_level check (level in ('None', 'Write', 'Read/write'))
);

-- Counters that every gateway process polls: when one moves, what it has cached of that kind is void.
create table portolan.generations (
  subject text primary key,
  generation bigint not null default 0
);
insert into portolan.generations (subject) values ('accounts'), ('keys');

-- The address behind a connection that is logged in as an account's role; written by the gateway from its own pool.
create unlogged table portolan.own_sessions (
  pid integer primary key,
  started timestamptz not null,
  ip inet
);

-- bcrypt for passwords that are set in SQL; where it cannot be had, create_user takes hashes only
do $$
begin
  create extension if not exists pgcrypto with schema portolan;
exception
  when insufficient_privilege or undefined_file then
    raise notice 'pgcrypto is not available: passwords must be passed as hashes';
end
$$;
