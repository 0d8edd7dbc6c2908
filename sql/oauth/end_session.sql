-- Ends a session of portolan.visible_sessions: a super user any, an account its own, that on the gateway's own connections
-- only, as portolan.change_own_account. In a security definer function current_user is the owner: the caller is the role
-- that the login was changed to, or the login. Raises PX404, 42501.
create or replace function portolan.end_session(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write sessions
as $$
declare
  v_role name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_own text; -- whose sessions the caller may end, null for a super user
  v_account text;
  v_client text;
begin
  if not pg_has_role(v_role, 'owner@' || current_database(), 'usage')
    and not has_schema_privilege(v_role, 'portolan', 'create')
  then
    select u.name into v_own
    from portolan.users u
    where u.name <> 'anonymous'
      and u.role = v_role
      and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
      and exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway');
    if not found then
      raise exception 'an account may end its own sessions only' using errcode = 'insufficient_privilege';
    end if;
  end if;
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.id::text = end_session.id and f.revoked_at is null and f.expires_at > now()
    and f.user_name = coalesce(v_own, f.user_name)
  returning f.user_name, f.client_id into v_account, v_client;
  if not found then
    delete from portolan.sessions b
    where left(encode(sha256(b.hash::bytea), 'hex'), 32) = end_session.id and b.expires_at > now()
      and b.user_name = coalesce(v_own, b.user_name)
    returning b.user_name into v_account;
  end if;
  if v_account is null then
    raise exception 'there is no session %', quote_literal(left(id, 100)) using errcode = 'PX404';
  end if;
  insert into portolan.audit (event, account, client_id, address, details)
  values ('session.ended', v_account, v_client, nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object('by', portolan.actor()));
end
$$;

comment on function portolan.end_session(text) is 'Ends a session: a super user any, everybody else its own.';
