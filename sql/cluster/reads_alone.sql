-- Whether no gateway serves this database but the one that reads its events.
create or replace function portolan.reads_alone() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the entries
as $$
  select not exists (
    select from portolan.gateways g cross join portolan.event_reader r
    where g.pid is distinct from r.pid and exists (
      select from pg_stat_get_activity(g.pid) a
      where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started)))
$$;
