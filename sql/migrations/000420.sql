-- The gateway registers the interface and the claims of a connection that is logged in as an account.
alter table portolan.own_sessions
  add column service text not null default 'sql',
  add column claims jsonb not null default '{}';
drop function if exists portolan.bind_own_session(integer, text, inet, text);
