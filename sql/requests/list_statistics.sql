-- How many requests each host has answered in each minute, of the last 24 hours or from an instant on. refused: 4xx. failed:
-- 5xx, and answers of 200 that tell of a failure of the service (GraphQL, methods). gone: the client left. p50_ms, p95_ms:
-- the time within which 50 and 95 of 100 were answered, at most a quarter too long. event_lag_ms, map_queue: the highest
-- value. GET /statistics, `portolan statistics`.
create or replace function portolan.list_statistics(since timestamptz default null)
  returns table (
    minute timestamptz, host text, requests integer, refused integer, failed integer, gone integer, p50_ms real, p95_ms real,
    event_lag_ms integer, map_queue integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select
    m.minute, m.host, m.requests, m.refused, m.failed, m.gone, portolan.duration_quantile(m.durations, 0.5),
    portolan.duration_quantile(m.durations, 0.95), m.event_lag_ms, m.map_queue
  from portolan.request_minutes m
  where m.minute > now() - interval '24 hours' and (since is null or m.minute >= date_trunc('minute', since))
  order by m.minute, m.host
$$;

revoke execute on function portolan.list_statistics(timestamptz) from public;
