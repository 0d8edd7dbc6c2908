-- The address of the statement's caller, for portolan.audit. On a connection that is logged in as an account it is the
-- address that the gateway has registered, because the statement itself could write the setting portolan.ip.
create or replace function portolan.caller_address() returns text
  language plpgsql stable
as $$
begin
  if exists (select from portolan.logins l where l.role = session_user and l.kind in ('gateway', 'pool'))
    or has_schema_privilege(session_user, 'portolan', 'create')
  then
    return nullif(current_setting('portolan.ip', true), '');
  end if;
  return (select host(r.ip) from portolan.registered_session(null) r);
end
$$;
