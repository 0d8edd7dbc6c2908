-- The failed jobs that wait until somebody continues or stops them. Without imports and downloads, which cannot
-- continue and whose account was told, and without jobs that a later one has replaced. For doctor and for /metrics.
create or replace function portolan.failed_jobs() returns setof portolan.jobs
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: called by the gateway
as $$
  select j.*
  from portolan.jobs j
  where j.state = 'failed' and j.kind not in ('import', 'download')
    and not exists (select from portolan.jobs l where (l.kind, l.relation) = (j.kind, j.relation) and l.id > j.id)
$$;
