-- Ends a session of the caller's own account. Called over REST (end_session) by every account, on the gateway's own
-- connections only: as portolan.change_own_account. Raises PX404, 42501.
create or replace function portolan.revoke_own_session(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write sessions
as $$
declare
  v_name text;
begin
  select u.name into v_name
  from portolan.users u
  where u.name <> 'anonymous'
    and u.role = current_setting('role')
    and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
    and exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway');
  if not found then
    raise exception 'an account may end its own sessions only' using errcode = 'insufficient_privilege';
  end if;
  if not exists (select from portolan.token_families f where f.id::text = revoke_own_session.id and f.user_name = v_name)
    and not exists (
      select from portolan.sessions b
      where left(encode(sha256(b.hash::bytea), 'hex'), 32) = revoke_own_session.id and b.user_name = v_name)
  then
    raise exception 'there is no session %', quote_literal(left(id, 100)) using errcode = 'PX404';
  end if;
  perform portolan.revoke_session(id);
end
$$;

comment on function portolan.revoke_own_session(text) is 'Ends a session of the caller''s own account.';
