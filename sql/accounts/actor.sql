-- Who is writing: the account, or the role where there is none. For triggers that run with their owner's rights, where
-- portolan.me cannot tell. The operator, who works off the jobs of others too, is whom portolan.user names. Called once in
-- each statement by the triggers of history and workflow; it has no settings of its own, which would cost them time.
create or replace function portolan.actor() returns text
  language plpgsql stable
as $$
begin
  if exists (select from portolan.logins l where l.role = session_user and l.kind in ('gateway', 'pool')) then
    return coalesce(nullif(current_setting('portolan.user', true), ''), session_user);
  elsif exists (select from portolan.logins l where l.role = session_user) then
    -- the runner's, where SQL that somebody wrote may set what it likes
    return coalesce(
      (select o.account from portolan.own_sessions o where o.pid = pg_backend_pid() and o.login = session_user),
      session_user);
  end if;
  return coalesce(
    (select min(u.name) from portolan.users u where u.role = session_user),
    case when has_schema_privilege(session_user, 'portolan', 'create') then nullif(current_setting('portolan.user', true), '') end,
    session_user);
end
$$;
