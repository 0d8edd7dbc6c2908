-- Which gateways serve this database: each writes its row by the connection on which it follows events, when something has
-- changed, and a row counts while that connection lives. Unlogged: after a crash of PostgreSQL each writes it again.
create unlogged table portolan.gateways (
  pid integer primary key,
  started timestamptz,
  noted timestamptz not null default clock_timestamp(),
  -- host, process, version, sockets, subscriptions, lag_ms, judges
  figures jsonb not null
);
alter table portolan.gateways enable row level security;
