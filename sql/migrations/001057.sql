-- Initial access tokens are listed, and ended by their ids.
alter table portolan.registration_tokens
  add column id uuid not null default gen_random_uuid() unique,
  add column made_at timestamptz not null default now();
