-- The account whose things the caller may see and end: its own; null for a super user and the operator, who may see and
-- end all; the empty text for the default user, whose account everybody may use. For security definer functions, where
-- current_user is the owner: the caller is the role that the login has changed to, or the login. An account is known only
-- on the gateway's own connections. Raises 42501 elsewhere.
create or replace function portolan.own_things() returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_own text;
  v_shared boolean;
begin
  if pg_has_role(v_role, 'owner@' || current_database(), 'usage') or has_schema_privilege(v_role, 'portolan', 'create') then
    return null;
  end if;
  select u.name, u.default_user into v_own, v_shared
  from portolan.users u
  where u.name <> 'anonymous'
    and u.role = v_role
    and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
    and exists (select from portolan.logins l where l.role = session_user and l.kind in ('gateway', 'pool'));
  if not found then
    raise exception 'an account may only see and end its own' using errcode = 'insufficient_privilege';
  end if;
  return case when v_shared then '' else v_own end;
end
$$;
