-- Ends the session of a browser. It ends the tokens that clients got by it with the scope openid and without
-- offline_access, and codes and device requests that were not redeemed. It records the clients that asked for a notice
-- (portolan.logouts). Called by the gateway (server/oauth/sessions.ts), and by other functions that end a session:
-- portolan.end_session, set_password, reset_factors, drop_user, clear_expired. Returns the account, or null where there
-- is no such session.
create or replace function portolan.sign_out(hash text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write token families
as $$
#variable_conflict use_column
declare
  v_session portolan.sessions;
begin
  delete from portolan.sessions s where s.hash = sign_out.hash returning s.* into v_session;
  if not found then
    return null;
  end if;
  -- before the families: a code that is being redeemed has its family when its row is free
  delete from portolan.authorization_codes c
  where c.family is null and c.asked ->> 'sid' = v_session.sid::text
    and not string_to_array(c.scope, ' ') @> '{offline_access}';
  update portolan.device_requests d
  set decision = 'denied'
  where d.family is null and d.decision = 'granted' and d.asked ->> 'sid' = v_session.sid::text
    and not string_to_array(d.scope, ' ') @> '{offline_access}';
  insert into portolan.logouts (client_id, user_name, sid, openid_sub, openid_seed)
  select distinct f.client_id, f.user_name, v_session.sid, u.openid_sub, u.openid_seed
  from portolan.token_families f
    join portolan.clients c on c.id = f.client_id
    join portolan.users u on u.name = f.user_name
  where f.asked ? 'sid' and f.asked ->> 'sid' = v_session.sid::text and c.backchannel_logout_uri is not null;
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.asked ? 'sid' and f.asked ->> 'sid' = v_session.sid::text and f.revoked_at is null
    and not string_to_array(f.scope, ' ') @> '{offline_access}';
  return v_session.user_name;
end
$$;
