-- From now on, rows of the table are drafted, reviewed and published. Present rows count as published. Does nothing if
-- the workflow is on. For a large table (over 100,000 rows) this is a job, which tries again while another session
-- holds a lock. Returns the number of the job, or null if all is done. wait: do it in this call. Raises PX400, PX404,
-- PX409, and 42501 if the owner of Portolan does not own the table.
create or replace function portolan.enable_workflow(relation regclass, wait boolean default false) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to alter the table is the owner's
  set lock_timeout = '5s'
as $$
#variable_conflict use_variable
begin
  perform portolan.one_at_a_time();
  perform portolan.check_workflow(relation);
  if not coalesce(wait, false) and portolan.is_large(relation)
    and not exists (select from portolan.workflow_tables w where w.relation = enable_workflow.relation)
  then
    return portolan.queue_job('workflow', relation);
  end if;
  perform portolan.make_workflow(relation);
  return null;
end
$$;
