-- Work that takes longer than a request may is done in portions, by gateways and by `portolan jobs run`: each portion is a
-- transaction of its own, so that nobody waits for long, and what is done stays done when a worker dies.
create table portolan.jobs (
  id bigint generated always as identity primary key,
  kind text not null constraint jobs_kind check (kind in ('versioning', 'workflow', 'events', 'import')),
  relation regclass not null,
  state text not null default 'queued'
    constraint jobs_state check (state in ('queued', 'running', 'stopped', 'failed', 'done')),
  -- rows, of about so many
  done bigint not null default 0,
  total bigint not null default 0,
  started_by text not null,
  started timestamptz not null default now(),
  updated timestamptz not null default now(),
  error text,
  -- how long a portion tries again while somebody else holds the lock that it needs
  lock_wait interval not null default '10 min',
  -- where the next portion begins; what it holds is the kind's own
  position jsonb not null default '{}'
);
create unique index jobs_unfinished on portolan.jobs (kind, relation) where state in ('queued', 'running');

insert into portolan.generations (subject) values ('jobs');

-- Whether rows are still being copied: triggers keep the history already, and nobody reads it yet.
alter table portolan.versioned_tables add column filling boolean not null default false;

-- Each comes back with what is new: whether to wait, and the number of the job.
drop function if exists portolan.enable_versioning(regclass);
drop function if exists portolan.enable_workflow(regclass);
drop function if exists portolan.enable_events(regclass);
drop function if exists portolan.set_workflow(regclass, jsonb);
