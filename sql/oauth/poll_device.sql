-- The answer to a device that asks for its tokens (RFC 8628 section 3.5). The gateway calls it (device_code grant). outcome:
-- granted, or unknown, other_client, expired, denied, pending, slow_down (the interval grows by 5 seconds), used, resource
-- (another one than the device asked for first; the empty text is the service).
create or replace function portolan.poll_device(
  device_code_hash text,
  client_id text,
  family uuid,
  refresh uuid,
  access_seconds integer,
  refresh_seconds integer,
  resource text default null
) returns table (outcome text, user_name text, scope text, asked jsonb)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may start a family of tokens
as $$
#variable_conflict use_column
declare
  v_request portolan.device_requests;
  v_outcome text;
begin
  select d.* into v_request
  from portolan.device_requests d
  where d.device_code_hash = poll_device.device_code_hash
  for update;
  v_outcome := case
    when not found then 'unknown'
    when v_request.client_id <> poll_device.client_id then 'other_client'
    when v_request.family is not null then 'used'
    when v_request.expires_at <= clock_timestamp() then 'expired'
    when poll_device.resource <> coalesce(v_request.asked ->> 'resource', '') then 'resource'
    when v_request.decision = 'denied' then 'denied'
    when v_request.decision = 'granted' and not exists (
      select from portolan.users u where u.name = v_request.user_name and u.token_version = v_request.token_version
    ) then 'denied'
    when v_request.decision = 'granted' then 'granted'
    -- half a second for network delay
    when v_request.last_polled_at > clock_timestamp() - make_interval(secs => v_request.interval_seconds - 0.5)
      then 'slow_down'
    else 'pending'
  end;
  if v_outcome = 'granted' then
    perform portolan.start_family(
      poll_device.family, refresh, v_request.client_id, v_request.user_name, v_request.scope,
      v_request.token_version, access_seconds, refresh_seconds, v_request.asked);
    update portolan.device_requests d set family = poll_device.family where d.device_code_hash = v_request.device_code_hash;
  elsif v_outcome in ('pending', 'slow_down') then
    update portolan.device_requests d
    set
      last_polled_at = clock_timestamp(),
      interval_seconds = d.interval_seconds + case v_outcome when 'slow_down' then 5 else 0 end
    where d.device_code_hash = v_request.device_code_hash;
  end if;
  return query select v_outcome, v_request.user_name, v_request.scope, v_request.asked;
end
$$;
