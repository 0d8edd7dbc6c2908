-- Registers the caller of the connections of MapServer that are logged in as an account and that have this ticket in the
-- setting portolan.ticket, for an hour. The gateway calls it before MapServer connects. Another login cannot use the ticket.
create or replace function portolan.bind_map_session(
  ticket text, login text, ip inet, account text, service text, claims jsonb
) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  insert into portolan.map_sessions (ticket, login, ip, account, service, claims, expires_at)
  values (
    bind_map_session.ticket, bind_map_session.login, bind_map_session.ip, bind_map_session.account,
    bind_map_session.service, bind_map_session.claims, now() + interval '1 hour')
  on conflict on constraint map_sessions_pkey do update set expires_at = excluded.expires_at
$$;
