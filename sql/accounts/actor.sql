-- The account that is writing, or the role where there is no account. For triggers that run with their owner's rights, where
-- portolan.me cannot tell. The operator also runs jobs that others began, so portolan.user names the account then. The
-- triggers of history and workflow call it once in each statement; it has no settings of its own, because they would slow
-- every write.
create or replace function portolan.actor() returns text
  language plpgsql stable
as $$
begin
  if exists (select from portolan.logins l where l.role = session_user and l.kind in ('gateway', 'pool')) then
    return coalesce(nullif(current_setting('portolan.user', true), ''), session_user);
  elsif exists (select from portolan.logins l where l.role = session_user) then
    -- on the runner, SQL that somebody wrote may set any value
    return coalesce((select r.account from portolan.registered_session('runner') r), session_user);
  end if;
  return coalesce(
    (select min(u.name) from portolan.users u where u.role = session_user),
    case when has_schema_privilege(session_user, 'portolan', 'create') then nullif(current_setting('portolan.user', true), '') end,
    session_user);
end
$$;
