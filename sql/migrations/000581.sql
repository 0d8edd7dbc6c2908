-- Links that are sent by mail: what each is for, when it was made, and to which address it went.
alter table portolan.one_time_links
  add column purpose text not null default 'password' check (purpose in ('password', 'email')),
  add column made_at timestamptz not null default clock_timestamp(),
  -- null: a link that was passed on by hand
  add column email text;

-- Whether the account, a provider or an administrator has shown that the address is the account's.
alter table portolan.users
  add column email_verified boolean not null default false,
  add constraint users_email_verified check (email is not null or not email_verified);
