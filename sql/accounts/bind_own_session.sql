-- Notes the caller's address, and the account, for a connection that runs SQL which someone wrote, so that rules hold for
-- it whatever it sets. Called by the gateway, from its own pool, when it hands the connection out.
create or replace function portolan.bind_own_session(pid integer, login text, ip inet, account text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  insert into portolan.own_sessions (pid, login, ip, account)
  values (bind_own_session.pid, bind_own_session.login, bind_own_session.ip, bind_own_session.account)
  on conflict (pid) do update set login = excluded.login, ip = excluded.ip, account = excluded.account
$$;
