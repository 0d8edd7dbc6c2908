-- Cancels the statement that a session of this database runs; it fails with 57014. With `started`, as list_statements shows
-- it, only that statement: a connection goes from one request to the next, so another statement may run by now. DELETE
-- /statements/{pid}, `portolan statement cancel`. Raises PX404, and 42501 where the owner may not cancel it.
create or replace function portolan.cancel_statement(pid integer, started timestamptz default null) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may end what others run
as $$
declare
  v_statement record;
begin
  select s.login, s.account, s.started into v_statement
  from portolan.list_statements() s
  where s.pid = cancel_statement.pid and s.state = 'active'
    and (cancel_statement.started is null or s.started = cancel_statement.started);
  if not found then
    raise exception 'the session % does not run %', pid, case when started is null then 'anything' else 'that any more' end
      using errcode = 'PX404';
  end if;
  perform pg_cancel_backend(cancel_statement.pid);
  insert into portolan.audit (event, account, address, details)
  values ('statement.cancelled', v_statement.account, portolan.caller_address(),
    jsonb_build_object(
      'by', portolan.actor(), 'pid', cancel_statement.pid, 'login', v_statement.login, 'started', v_statement.started));
end
$$;
