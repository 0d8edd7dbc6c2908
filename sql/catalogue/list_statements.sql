-- The running statements of this database, the longest first, without idle sessions and the caller's own. account: for
-- accounts that run SQL of their own; other requests run under the gateway's login. blocked_by: the sessions that hold the
-- lock it waits for. GET /statements, `portolan statement list`. Raises 42501 where the owner may not see what others run.
create or replace function portolan.list_statements()
  returns table (
    pid integer, login text, account text, application text, address text, state text, started timestamptz,
    transaction_started timestamptz, waits_for text, blocked_by integer[], statement text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may see what others run
as $$
begin
  if not pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
    raise exception 'the owner of Portolan may not see the statements of others: grant pg_read_all_stats, pg_signal_backend to %',
      quote_ident(current_user) using errcode = '42501';
  end if;
  return query
    select
      a.pid, a.usename::text, u.name, nullif(a.application_name, ''), host(a.client_addr), a.state, a.query_start, a.xact_start,
      case when a.state = 'active' then a.wait_event_type || ': ' || a.wait_event end,
      case when a.wait_event_type = 'Lock' then pg_blocking_pids(a.pid) else '{}' end, a.query
    from pg_stat_activity a left join portolan.users u on u.role = a.usename and u.role_made
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
      and a.state <> 'idle'
    order by a.query_start, a.pid;
end
$$;
