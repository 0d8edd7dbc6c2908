-- The history of a large table is ended in portions too: `closing` is the instant at which it ended, while versions are
-- still open that end then.
alter table portolan.versioned_tables add column closing timestamptz;
alter table portolan.jobs
  drop constraint jobs_kind,
  add constraint jobs_kind check (kind in ('versioning', 'end_versioning', 'workflow', 'events', 'import'));

-- comes back with what is new: whether to wait, and the number of the job
drop function if exists portolan.disable_versioning(regclass, boolean);
-- come back under other names, or with the instant
drop function if exists portolan.close_history(regclass);
drop function if exists portolan.end_filling(regclass);
