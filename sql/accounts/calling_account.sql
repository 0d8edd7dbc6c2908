-- The account that calls; null for a super user and the operator, who may change what all others own, and the empty text where
-- it is no account, or anonymous. For security definer functions, where current_user is the owner and portolan.me cannot
-- tell. On a connection that has logged in as an account, no setting counts.
create or replace function portolan.calling_account() returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text := (select l.kind from portolan.logins l where l.role = session_user);
  v_role name := case when v_kind is null then session_user else coalesce(nullif(current_setting('role'), 'none'), session_user) end;
  v_name text;
begin
  if pg_has_role(v_role, portolan.role_name('owner'), 'usage') or has_schema_privilege(v_role, 'portolan', 'create') then
    return null;
  end if;
  if v_kind = 'runner' then
    select r.account into v_name from portolan.registered_session('runner') r;
  else
    select min(u.name) into v_name
    from portolan.users u
    where u.role = v_role
      and (v_kind is null or u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name));
  end if;
  return coalesce(nullif(v_name, 'anonymous'), '');
end
$$;
