-- The last transactions that wrote the request log and nothing else, those from since to last, whose numbers follow each
-- other: portolan.data_snapshot leaves them out. Not worth writing ahead: after a crash it begins anew.
create unlogged table portolan.log_run (
  one boolean primary key default true constraint log_run_one check (one),
  since xid8 not null,
  last xid8 not null
);
comment on table portolan.log_run is
  'The last transactions that wrote the request log and nothing else: their numbers are those from since to last.';
