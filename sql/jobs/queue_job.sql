-- Queues work on a table, and returns the number of the job. Where a job for the same work runs, was stopped or has failed,
-- it returns that one, which continues for the present caller.
create or replace function portolan.queue_job(kind text, relation regclass) returns bigint
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_id bigint;
begin
  select j.id into v_id
  from portolan.jobs j
  where j.kind = queue_job.kind and j.relation = queue_job.relation and j.state <> 'done'
  order by j.id desc
  limit 1
  for update;
  if v_id is null then
    insert into portolan.jobs as j (kind, relation, total, started_by)
    values (kind, relation, portolan.row_estimate(relation), portolan.actor())
    returning j.id into v_id;
  else
    update portolan.jobs j
    set state = 'queued', started_by = portolan.actor(), error = null, updated = now(), position = j.position - 'waited_ms'
    where j.id = v_id and j.state in ('stopped', 'failed');
  end if;
  return v_id;
end
$$;
