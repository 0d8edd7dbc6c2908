-- Other OpenID providers: the people there who are accounts here. `provider`: its id in the option identityProviders when the
-- link was made. `issuer` and `subject` say who it is (OpenID Connect Core §5.7).
create table portolan.identities (
  id uuid primary key default gen_random_uuid(),
  user_name text not null references portolan.users (name) on update cascade on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text,
  made_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  unique (issuer, subject)
);
create index identities_user_name on portolan.identities (user_name);

-- What a browser brings back from a provider is compared with this, and what it has said waits here for the next step.
alter table portolan.sign_ins add column upstream jsonb;
drop function if exists portolan.begin_sign_in(text, text, text, text);
drop function if exists portolan.waiting_sign_in(text, boolean);

-- Of a super user, for the database: whether the providers are offered and may bring new people. Null: they are offered, and
-- bring new people where sign-up is open.
alter table portolan.users add column social_signup boolean;
