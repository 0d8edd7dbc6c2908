-- The requests of an agent of portolan.list_agents in the last 24 hours, latest first: rows of portolan.requests with
-- numbers lower than `before`. One's own agents; any for a super user. GET /agents/{id}/requests, `portolan agent requests`.
-- Raises PX404, 42501.
create or replace function portolan.agent_requests(id text, before bigint default null, most integer default 100)
  returns setof portolan.requests
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
#variable_conflict use_column
begin
  if not exists (select from portolan.list_agents() a where a.id = agent_requests.id) then
    raise exception 'there is no agent %', quote_literal(left(agent_requests.id, 100)) using errcode = 'PX404';
  end if;
  return query
    select r.*
    from portolan.requests r
    where r.session = agent_requests.id and (before is null or r.number < before)
    order by r.number desc
    limit most;
end
$$;
