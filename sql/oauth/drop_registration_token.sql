-- Ends an initial access token: no client can register with it any more. Registered clients stay registered. Raises
-- PX404.
create or replace function portolan.drop_registration_token(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write registration tokens
as $$
declare
  v_token portolan.registration_tokens;
begin
  delete from portolan.registration_tokens t where t.id::text = drop_registration_token.id returning t.* into v_token;
  if not found then
    raise exception 'there is no registration token "%"', drop_registration_token.id using errcode = 'PX404';
  end if;
  insert into portolan.audit (event, address, details)
  values ('registration_token.removed', portolan.caller_address(),
    jsonb_build_object('by', portolan.actor(), 'made_by', v_token.made_by, 'uses_left', v_token.uses_left));
end
$$;
