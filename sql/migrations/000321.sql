-- What gateways keep of requests for a day. Neither is worth writing ahead: after a crash of the server both begin anew.
create unlogged table portolan.requests (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  id text,
  account text,
  address text,
  method text,
  path text,
  status integer,
  ms real,
  code text,
  error_id text,
  error text,
  host text not null,
  process integer not null
);
create index requests_id on portolan.requests (id);
create index requests_error_id on portolan.requests (error_id) where error_id is not null;
create unlogged table portolan.request_minutes (
  minute timestamptz not null,
  host text not null,
  requests integer not null,
  refused integer not null,
  failed integer not null,
  gone integer not null,
  durations integer[] not null,
  event_lag_ms integer not null,
  map_queue integer not null,
  primary key (minute, host)
);
comment on table portolan.requests is 'Requests of the last 24 hours, written by the gateways each second; under load not all that went well.';
comment on table portolan.request_minutes is
  'How many requests there were in each minute of the last 24 hours. durations: how many took up to 0.25, 0.25 * 1.25, 0.25 * 1.25 ^ 2 … ms.';
