-- Notes the caller's address, and the account, for a connection that runs SQL which someone wrote, so that rules hold for
-- it whatever it sets. Called by the gateway, from its own pool, when it hands the connection out.
create or replace function portolan.bind_own_session(pid integer, ip inet, account text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: reads the start of another role's backend
as $$
  insert into portolan.own_sessions (pid, started, ip, account)
  select a.pid, a.backend_start, bind_own_session.ip, bind_own_session.account
  from pg_stat_get_activity(bind_own_session.pid) a
  on conflict (pid) do update set started = excluded.started, ip = excluded.ip, account = excluded.account
$$;

comment on function portolan.bind_own_session(integer, inet, text) is
  'Notes the caller''s address and account for a connection of its own.';

revoke execute on function portolan.bind_own_session(integer, inet, text) from public;
