-- Ends an agent of portolan.list_agents: its tokens become invalid, and its streams end. One's own; any for a super user.
-- DELETE /agents/{id}, `portolan agent end`. Raises PX404, PX400 for an agent without a token of this service, 42501.
create or replace function portolan.end_agent(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write token families
as $$
declare
  v_agent record;
begin
  select a.* into v_agent from portolan.list_agents() a where a.id = end_agent.id;
  if not found then
    raise exception 'there is no agent %', quote_literal(left(end_agent.id, 100)) using errcode = 'PX404';
  end if;
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.id::text = v_agent.id and f.revoked_at is null;
  if not found then
    if v_agent.id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      raise exception 'this service did not issue the token of the agent: revoke rights of the account %, or end the agent at the issuer of its token',
        quote_literal(v_agent.account_name) using errcode = 'PX400';
    end if;
    perform portolan.revoke_family(v_agent.id::uuid, v_agent.client_id, v_agent.account_name, v_agent.expires_at);
  end if;
  insert into portolan.audit (event, account, client_id, address, details)
  values ('agent.ended', v_agent.account_name, v_agent.client_id, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor()));
end
$$;
