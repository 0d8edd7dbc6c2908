-- People who sign up: what waits for the link that was sent to their address.
create table portolan.sign_ups (
  hash text primary key,
  name text not null,
  email text not null,
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sign_ups_email on portolan.sign_ups (lower(email));
create index sign_ups_expires_at on portolan.sign_ups (expires_at);

-- Of a super user, for the database: whether people may sign up. Null: as the option signUp says.
alter table portolan.users add column allow_signup boolean;
