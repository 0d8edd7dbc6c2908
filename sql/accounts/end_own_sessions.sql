-- Ends sessions of a login that Portolan made for an account, whatever they run: code can catch a cancel, and
-- PostgreSQL does not notice meanwhile that the client is gone. `pid`: only that session. Null: the sessions that the
-- gateway has not registered, which are MapServer's, and whose statement has run for more than `late_ms`. Returns how
-- many. The gateway calls it when its own cancel had no effect. Ends none where the owner of this schema lacks the
-- right: the session then ends with the code.
create or replace function portolan.end_own_sessions(login text, pid integer, late_ms integer default 0) returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may end what others run
as $$
begin
  if not exists (select from portolan.users u where u.role = login and u.role_made)
    and not exists (select from portolan.logins l where l.role = login and l.kind = 'runner')
  then
    return 0;
  end if;
  return (
    select count(*)::integer
    from (
      select pg_terminate_backend(a.pid)
      from pg_stat_activity a
      where a.usename = login and a.datname = current_database()
        and case
          when end_own_sessions.pid is not null then a.pid = end_own_sessions.pid
          else a.state = 'active' and a.query_start < clock_timestamp() - make_interval(secs => late_ms / 1000.0)
            and not exists (select from portolan.own_sessions o where o.pid = a.pid and o.login = a.usename)
        end) ended);
exception
  when insufficient_privilege then
    return 0;
end
$$;
