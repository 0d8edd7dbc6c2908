-- Notes the caller's address for a connection that is logged in as an account, so that rules on addresses hold for SQL
-- that the account wrote. Called by the gateway, from its own pool, when it hands the connection out.
create or replace function portolan.bind_own_session(pid integer, ip inet) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: reads the start of another role's backend
as $$
  insert into portolan.own_sessions (pid, started, ip)
  select a.pid, a.backend_start, bind_own_session.ip from pg_stat_get_activity(bind_own_session.pid) a
  on conflict (pid) do update set started = excluded.started, ip = excluded.ip
$$;

comment on function portolan.bind_own_session(integer, inet) is 'Notes the caller''s address for a connection of its own.';

revoke execute on function portolan.bind_own_session(integer, inet) from public;
