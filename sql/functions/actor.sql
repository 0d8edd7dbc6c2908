-- Who is writing: the account, or the role where there is none. For triggers that run with their owner's rights, where
-- portolan.me cannot tell. Called by the triggers of history and workflow; not definer, so that it is inlined there.
create or replace function portolan.actor() returns text
  language sql stable
as $$
  select coalesce(
    (select nullif(current_setting('portolan.user', true), '') from portolan.logins l where l.role = session_user),
    (select min(u.name) from portolan.users u where u.role = session_user),
    session_user)
$$;

comment on function portolan.actor() is 'The account that is writing, or the role where there is none.';

revoke execute on function portolan.actor() from public;
