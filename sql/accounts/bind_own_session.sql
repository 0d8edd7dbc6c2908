-- Registers the caller of a connection that is logged in as an account or as the runner. Rules, policies and the record
-- of a row's writer use this entry, and no statement on that connection can change it. The gateway calls it from its
-- own connection before it hands the other one out. `claims`: of the token, with its id (`jti`) and whether it has a
-- second factor (`mfa`). It is valid for the connection that has that number now. Returns false, and registers nothing,
-- where that connection has logged in as an earlier role of this name: an account that is created again has another
-- role.
create or replace function portolan.bind_own_session(
  pid integer, login text, ip inet, account text, service text, claims jsonb
) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  with bound as (
    insert into portolan.own_sessions (pid, login, ip, account, service, claims, started)
    select
      bind_own_session.pid, bind_own_session.login, bind_own_session.ip, bind_own_session.account,
      bind_own_session.service, bind_own_session.claims, portolan.backend_started(bind_own_session.pid)
    from pg_stat_get_activity(bind_own_session.pid) a
    where a.usesysid = to_regrole(quote_ident(bind_own_session.login))
    on conflict (pid) do update set
      login = excluded.login, ip = excluded.ip, account = excluded.account, service = excluded.service,
      claims = excluded.claims, started = excluded.started
    returning 1
  )
  select exists (select from bound)
$$;
