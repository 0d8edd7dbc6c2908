-- Refuses what has waited too long for a lock of the mode on a relation. Super users read in the message what holds it; for
-- the operator, who is no account, it is the detail. Nobody else is told. Raises 55P03 in schema portolan.
create or replace function portolan.refuse_locked(relation regclass, mode text, message text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_holders text := portolan.lock_holders(relation, mode);
  -- not portolan.me: current_user is the owner here
  v_caller name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_is_account boolean := exists (select from portolan.users u where u.role = v_caller);
begin
  if v_holders is null or (v_is_account and not pg_has_role(v_caller, portolan.role_name('owner'), 'usage')) then
    raise exception '%: try again', message using errcode = 'lock_not_available', schema = 'portolan';
  elsif v_is_account then
    raise exception '%: try again. The lock is held by %', message, v_holders
      using errcode = 'lock_not_available', schema = 'portolan';
  end if;
  raise exception '%: try again', message
    using errcode = 'lock_not_available', schema = 'portolan', detail = format('The lock is held by %s.', v_holders);
end
$$;
