-- When what clients learn of an account was changed last (OpenID Connect Core §5.1, `updated_at`).
alter table portolan.users add column updated_at timestamptz not null default now();
