-- Files that accounts have made of collections, to fetch them later. Their bytes need not survive a crash.
alter table portolan.jobs drop constraint jobs_kind;
alter table portolan.jobs add constraint jobs_kind
  check (kind in ('versioning', 'end_versioning', 'workflow', 'events', 'import', 'download', 'tiles'));
drop index portolan.jobs_unfinished;
create unique index jobs_unfinished on portolan.jobs (kind, relation)
  where state in ('queued', 'running') and kind not in ('import', 'download', 'tiles');
create table portolan.downloads (
  id text primary key,
  job bigint not null references portolan.jobs on delete cascade,
  account text not null references portolan.users (name) on update cascade on delete cascade,
  collection text not null,
  format text not null,
  -- what the account might read when the file was made: portolan.reading_rights
  rights jsonb,
  -- null until the file is complete
  bytes bigint,
  etag text,
  -- signs addresses that need no token
  secret bytea not null,
  expires timestamptz not null
);
create index downloads_account on portolan.downloads (account);
create index downloads_job on portolan.downloads (job);
-- A file in pieces of the same size; the last one may be shorter.
create unlogged table portolan.download_parts (
  download text not null references portolan.downloads on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (download, part)
);
alter table portolan.download_parts alter content set storage external;
