-- The gateways that serve this database now; the one that reads the events comes first. judges: the groups that it judges
-- for other gateways too, as `schema.table role`; null without NATS. lag_ms: the age of the oldest event that it has yet to
-- deliver. The entry of a gateway is at most some seconds old. GET /fleet, `portolan fleet`.
create or replace function portolan.fleet()
  returns table (
    host text, process integer, version text, reader boolean, judges text[], lag_ms integer, subscriptions integer,
    sockets integer, noted timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select
    g.figures ->> 'host',
    (g.figures ->> 'process')::integer,
    g.figures ->> 'version',
    coalesce(g.pid = r.pid, false),
    case when jsonb_typeof(g.figures -> 'judges') = 'array'
      then array(select jsonb_array_elements_text(g.figures -> 'judges') order by 1) end,
    (g.figures ->> 'lag_ms')::integer,
    (g.figures ->> 'subscriptions')::integer,
    (g.figures ->> 'sockets')::integer,
    g.noted
  from portolan.gateways g cross join portolan.event_reader r
  where exists (
    select from pg_stat_get_activity(g.pid) a
    where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started))
  order by 4 desc, 1, 2
$$;
