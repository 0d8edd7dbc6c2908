-- The claims of the token of this request, for policies: portolan.claims() ->> 'scope'. An empty object where there are
-- none. On a connection that is logged in as the account, these are the claims that the gateway registered. No statement can
-- change them, unlike the setting request.jwt.claims.
create or replace function portolan.claims() returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the logins
as $$
declare
  v_kind text := (select l.kind from portolan.logins l where l.role = session_user);
begin
  if v_kind in ('gateway', 'pool') then
    return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
  end if;
  return coalesce((select s.claims from portolan.registered_session(v_kind) s), '{}');
end
$$;
