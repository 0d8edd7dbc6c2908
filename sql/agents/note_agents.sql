-- Adds the activity of agents since the last call: rows of portolan.agents, with ago_ms instead of instants, calls and
-- refused as differences, hears for an open stream, and refusal for the last refused call. Like portolan.note_requests,
-- which calls it, it must be the only writer of its transaction.
create or replace function portolan.note_agents(agents jsonb) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write them
as $$
  select portolan.join_log_run();
  insert into portolan.agents as a (
    id, account, client_id, token_version, scope, software, address, since, last_at, expires_at, calls, refused, heard_at, refusal)
  select
    e.id, e.account, e.client_id, e.token_version, e.scope, e.software, e.address, e.last_at, e.last_at, e.expires_at,
    coalesce(e.calls, 0), coalesce(e.refused, 0), case when e.hears then e.last_at end, e.refusal || jsonb_build_object('at', e.last_at)
  from (
    select j.*, clock_timestamp() - j.ago_ms * interval '1 millisecond' as last_at
    from jsonb_to_recordset(agents) j (
      id text, account text, client_id text, token_version bigint, scope text, software text, address text, ago_ms double precision,
      expires_at timestamptz, calls bigint, refused bigint, hears boolean, refusal jsonb)
    order by j.id) e -- in one order: two gateways never wait for each other
  on conflict on constraint agents_pkey do update set
    scope = excluded.scope,
    software = coalesce(excluded.software, a.software),
    address = coalesce(excluded.address, a.address),
    last_at = greatest(a.last_at, excluded.last_at),
    expires_at = excluded.expires_at,
    calls = a.calls + excluded.calls,
    refused = a.refused + excluded.refused,
    heard_at = greatest(a.heard_at, excluded.heard_at),
    refusal = coalesce(excluded.refusal, a.refusal)
$$;

revoke execute on function portolan.note_agents(jsonb) from public;
