-- Ends a session with the rights that the caller has: a super user any, everybody else its own. Security invoker. Raises
-- what revoke_session and revoke_own_session raise.
create or replace function portolan.end_session(id text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if has_function_privilege('portolan.revoke_session(text)', 'execute') then
    perform portolan.revoke_session(id);
  else
    perform portolan.revoke_own_session(id);
  end if;
end
$$;

comment on function portolan.end_session(text) is 'Ends a session: a super user any, everybody else its own.';
