-- Agents that may use the agents' door, the latest request first: sign-ins of clients for that door, and tokens of
-- `portolan token --agent` and of other issuers that have been used. Each account sees its own, a super user all.
-- listens: a stream of changes was open in the last minute. expires_at: null where no token shows when. GET /agents,
-- `portolan agent list`. Raises 42501.
create or replace function portolan.list_agents(account text default null) returns table (
  id text, account_name text, client_id text, client text, software text, scope text, address text, since timestamptz,
  last_at timestamptz, expires_at timestamptz, calls bigint, refused bigint, listens boolean, refusal jsonb
)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
#variable_conflict use_column
declare
  v_own text := portolan.own_account(); -- the account whose agents the caller may see
begin
  return query
    select
      s.id, s.account, s.client_id, c.name, a.software, s.scope, a.address, s.since, a.last_at, s.expires_at, coalesce(a.calls, 0),
      coalesce(a.refused, 0), coalesce(a.heard_at > clock_timestamp() - interval '1 minute', false), a.refusal
    from (
      select f.id::text as id, f.user_name as account, f.client_id, f.scope, f.created_at as since, f.expires_at, f.token_version
      from portolan.token_families f
      where f.revoked_at is null
        and (nullif(f.asked ->> 'resource', '') is not null or exists (select from portolan.agents g where g.id = f.id::text))
      union all
      select g.id, g.account, g.client_id, g.scope, g.since, g.expires_at, g.token_version
      from portolan.agents g
      where not exists (select from portolan.token_families f where f.id::text = g.id)
    ) s
      join portolan.users u on u.name = s.account and u.token_version = coalesce(s.token_version, u.token_version)
      left join portolan.clients c on c.id = s.client_id
      left join portolan.agents a on a.id = s.id
    where (s.expires_at is null or s.expires_at > now())
      and (c.id is not null or s.token_version is null)
      and s.account = coalesce(v_own, s.account)
      and s.account = coalesce(lower(list_agents.account), s.account)
    order by a.last_at desc nulls last, s.since desc, s.id
    limit 1000;
end
$$;
