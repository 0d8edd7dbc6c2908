-- The gateway registers the interface and the claims of a connection that is logged in as an account.
alter table portolan.own_sessions
  add column service text not null default 'sql',
  add column claims jsonb not null default '{}';

-- pool: statements of requests that the gateway wrote, under the role of any account; it may not call what the gateway may.
-- former: the pool of the database that this one is a copy of; nobody logs in as it, and histories name it.
alter table portolan.logins
  drop constraint logins_kind,
  add constraint logins_kind check (kind in ('gateway', 'pool', 'runner', 'former'));

-- Each role of a team that an account stands on has a runner of its own, so that no code which runs there can become another.
alter table portolan.logins add column runs_as text;
drop function if exists portolan.runner_role();
drop function if exists portolan.runner_login(text, integer);
