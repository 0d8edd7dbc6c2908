-- Who is behind a connection of MapServer that is logged in as an account: MapServer connects by itself, so its number is
-- not known beforehand. The connection has a ticket among its settings instead.
create unlogged table portolan.map_sessions (
  ticket text primary key,
  login text not null,
  ip inet,
  account text not null,
  service text not null,
  claims jsonb not null,
  expires_at timestamptz not null
);
