-- Ends a session of portolan.visible_sessions: a super user may end any, an account its own, on the gateway's own
-- connections only, as in portolan.change_own_account. Raises PX404, 42501.
create or replace function portolan.end_session(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write sessions
as $$
declare
  v_own text := portolan.own_account(); -- the account whose sessions the caller may end
  v_account text;
  v_client text;
begin
  select portolan.sign_out(b.hash) into v_account
  from portolan.sessions b
  where b.id = end_session.id and b.expires_at > now() and b.user_name = coalesce(v_own, b.user_name);
  if not found then
    update portolan.token_families f
    set revoked_at = clock_timestamp()
    where f.id::text = end_session.id and f.revoked_at is null and f.expires_at > now()
      and f.user_name = coalesce(v_own, f.user_name)
    returning f.user_name, f.client_id into v_account, v_client;
  end if;
  if v_account is null then
    raise exception 'there is no session %', quote_literal(left(id, 100)) using errcode = 'PX404';
  end if;
  insert into portolan.audit (event, account, client_id, address, details)
  values ('session.ended', v_account, v_client, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor()));
end
$$;
