-- Stops the work of this kind on a table, if there is any; finished portions stay done.
create or replace function portolan.stop_jobs(kind text, relation regclass) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  update portolan.jobs j
  set state = 'stopped', updated = clock_timestamp()
  where j.kind = stop_jobs.kind and j.relation = stop_jobs.relation and j.state in ('queued', 'running');
$$;
