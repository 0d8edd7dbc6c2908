-- Revokes the consent of an account to a client: its tokens become invalid, as do codes and device requests that were
-- not redeemed, and the account is asked again. One's own; any for a super user. DELETE /consents/{account}/{client},
-- `portolan consent remove`. Raises PX404, 42501.
create or replace function portolan.end_consent(account text, client_id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write consents
as $$
#variable_conflict use_column
declare
  v_own text := portolan.own_account(); -- the account whose consents the caller may revoke
begin
  delete from portolan.consents c
  where c.user_name = lower(end_consent.account) and c.client_id = end_consent.client_id and c.user_name = coalesce(v_own, c.user_name);
  if not found then
    raise exception 'the account % has given no consent to the client %', quote_literal(left(account, 100)), quote_literal(left(end_consent.client_id, 100))
      using errcode = 'PX404';
  end if;
  delete from portolan.authorization_codes c
  where c.family is null and c.user_name = lower(end_consent.account) and c.client_id = end_consent.client_id;
  update portolan.device_requests d
  set decision = 'denied'
  where d.family is null and d.decision = 'granted' and d.user_name = lower(end_consent.account)
    and d.client_id = end_consent.client_id;
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.user_name = lower(end_consent.account) and f.client_id = end_consent.client_id and f.revoked_at is null;
  insert into portolan.audit (event, account, client_id, address, details)
  values ('consent.withdrawn', lower(end_consent.account), end_consent.client_id, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor()));
end
$$;
