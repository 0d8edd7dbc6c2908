-- Sign-out by clients and for clients (OpenID Connect RP-Initiated and Back-Channel Logout).
alter table portolan.clients
  add column post_logout_redirect_uris text[] not null default '{}',
  add column backchannel_logout_uri text
    constraint clients_backchannel_logout check (backchannel_logout_uri ~ '^https?://[^\s<>"\\#]+$' and length(backchannel_logout_uri) <= 2000);
drop function if exists portolan.list_clients(text[]);

create index token_families_sid on portolan.token_families ((asked ->> 'sid')) where asked ? 'sid';

-- Clients that are to be told that a session has ended.
create table portolan.logouts (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references portolan.clients on update cascade on delete cascade,
  user_name text not null,
  sid uuid not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now()
);
create index logouts_next_at on portolan.logouts (next_at);
create index logouts_client_id on portolan.logouts (client_id);
