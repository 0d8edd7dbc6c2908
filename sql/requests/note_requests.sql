-- Adds the requests that a gateway has answered since its last call. figures: numbers for the present minute, named as
-- the columns of request_minutes, and as `agents` the argument of portolan.note_agents. entries: rows of
-- portolan.requests, with ago_ms instead of an instant: how long ago each began by the gateway's clock, because the
-- clock of the database decides. Must be the only writer of its transaction; otherwise portolan.data_snapshot does not
-- treat that as a writer of the log alone.
create or replace function portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write them
as $$
  select portolan.join_log_run();
  select portolan.note_agents(figures -> 'agents') where figures ? 'agents';
  insert into portolan.request_minutes as m (
    minute, host, requests, refused, failed, gone, durations, event_lag_ms, map_queue)
  select
    date_trunc('minute', clock_timestamp()), note_requests.host, f.requests, f.refused, f.failed, f.gone, f.durations,
    f.event_lag_ms, f.map_queue
  from jsonb_to_record(figures) f (
    requests integer, refused integer, failed integer, gone integer, durations integer[], event_lag_ms integer, map_queue integer)
  on conflict on constraint request_minutes_pkey do update set
    requests = m.requests + excluded.requests,
    refused = m.refused + excluded.refused,
    failed = m.failed + excluded.failed,
    gone = m.gone + excluded.gone,
    durations = array(
      select coalesce(u.old, 0) + coalesce(u.new, 0) from unnest(m.durations, excluded.durations) u (old, new)),
    event_lag_ms = greatest(m.event_lag_ms, excluded.event_lag_ms),
    map_queue = greatest(m.map_queue, excluded.map_queue);
  insert into portolan.requests (
    at, id, account, address, method, path, operation, status, ms, code, relation, commands, error_id, error, session, client, host,
    process)
  select
    clock_timestamp() - e.ago_ms * interval '1 millisecond', e.id, e.account, e.address, e.method, e.path, e.operation, e.status,
    e.ms, e.code, e.relation, e.commands, e.error_id, e.error, e.session, e.client, note_requests.host,
    note_requests.process
  from jsonb_to_recordset(entries) e (
    ago_ms double precision, id text, account text, address text, method text, path text, operation text, status integer, ms real,
    code text, relation text, commands text[], error_id text, error text, session text,
    client text)
$$;

revoke execute on function portolan.note_requests(text, integer, jsonb, jsonb) from public;
