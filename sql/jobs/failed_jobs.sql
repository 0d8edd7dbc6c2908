-- The jobs that have failed and wait for somebody to let them go on or leave them: no imports, of which nothing is left and
-- whose account was told, and none in whose place a later one has come. For doctor and for /metrics.
create or replace function portolan.failed_jobs() returns setof portolan.jobs
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: called by the gateway
as $$
  select j.*
  from portolan.jobs j
  where j.state = 'failed' and j.kind <> 'import'
    and not exists (select from portolan.jobs l where (l.kind, l.relation) = (j.kind, j.relation) and l.id > j.id)
$$;
