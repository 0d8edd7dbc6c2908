-- Second factors. An account may have codes of an authenticator (TOTP, RFC 6238) and passkeys (WebAuthn).
create table portolan.factors (
  id uuid primary key default gen_random_uuid(),
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  kind text not null constraint factors_kind check (kind in ('totp', 'passkey')),
  name text not null constraint factors_name check (length(name) between 1 and 100),
  made_at timestamptz not null default now(),
  used_at timestamptz,
  -- totp: the shared secret in base32, and the last step of time whose code was used
  secret text,
  last_step bigint,
  -- passkey: its id and public key in base64url, and the count of its signatures
  credential text unique,
  public_key text,
  counter bigint,
  transports text[],
  constraint factors_members check (
    case kind
      when 'totp' then num_nulls(secret, last_step) = 0 and num_nonnulls(credential, public_key, counter, transports) = 0
      else num_nulls(credential, public_key, counter) = 0 and num_nonnulls(secret, last_step) = 0
    end)
);
create index factors_user_name on portolan.factors (user_name);
create unique index factors_one_totp on portolan.factors (user_name) where kind = 'totp';

-- Hashes of codes that stand in for a lost factor, each once.
create table portolan.recovery_codes (
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  hash text not null,
  primary key (user_name, hash)
);

-- What waits for a second step of a person in a browser: a sign-in whose password was right, or a factor that is being
-- added. hash: of the id that the form of the page has.
create table portolan.sign_ins (
  hash text primary key,
  -- null: a passkey will say who it is
  user_name text references portolan.users (name) on update cascade on delete cascade,
  token_version bigint,
  -- of the authenticator that is being added
  secret text,
  -- that a passkey signs
  challenge text,
  expires_at timestamptz not null
);
create index sign_ins_user_name on portolan.sign_ins (user_name);
create index sign_ins_expires_at on portolan.sign_ins (expires_at);

-- Whether the account must have a second factor.
alter table portolan.users add column two_factor boolean not null default false;
-- How the account has signed in (RFC 8176).
alter table portolan.sessions add column amr text[] not null default '{pwd}';
