-- Agents: the sign-ins and tokens with which programs asked at the agents' door, what they did last, and their last refusal.
-- Written by the gateways with the log of requests, and like it not worth writing ahead.
create unlogged table portolan.agents (
  id text primary key,
  account text not null,
  client_id text,
  token_version bigint,
  scope text,
  software text,
  address text,
  since timestamptz not null,
  last_at timestamptz not null,
  expires_at timestamptz,
  calls bigint not null default 0,
  refused bigint not null default 0,
  heard_at timestamptz,
  refusal jsonb
);
create index agents_last_at on portolan.agents (last_at);
comment on table portolan.agents is
  'Agents that have asked in the last days, by their sign-in or token. calls and refused: of tools; heard_at: when a stream of changes was last open; refusal: the last call that was refused.';
drop function if exists portolan.method_functions(text[]);
alter table portolan.requests add column session text;
create index requests_session on portolan.requests (session, number) where session is not null;
comment on column portolan.requests.session is 'The sign-in or token of an agent: an id of portolan.agents.';
