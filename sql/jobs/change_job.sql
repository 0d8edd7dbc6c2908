-- Stops a job (state: stopped), which keeps finished portions, or lets it continue (queued). Its lock timeout may be
-- changed too. Does nothing where the job is in that state already; else it writes to the audit. Super users may change
-- all jobs, others those that they have begun. Raises PX404, PX409 for a finished job and for an ended import or
-- download, which cannot continue, PX400 for another state.
create or replace function portolan.change_job(id bigint, state text, lock_wait interval default null) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
#variable_conflict use_variable
declare
  v_job portolan.jobs;
  v_own text := portolan.own_things();
  v_state text;
begin
  if state is null or state not in ('queued', 'stopped') then
    raise exception 'the state of a job can only be set to stopped or queued' using errcode = 'PX400';
  end if;
  select j.* into v_job
  from portolan.jobs j
  where j.id = change_job.id and (v_own is null or j.started_by = v_own and j.started >= portolan.made_at(v_own))
  for update;
  if not found then
    raise exception 'there is no job %', id using errcode = 'PX404';
  elsif v_job.state = 'done' then
    raise exception 'job % is done', id using errcode = 'PX409';
  elsif v_job.kind in ('import', 'download') and (state = 'queued' or v_job.state = 'failed') then
    raise exception 'job % has ended: import the file again, or request the download again', id using errcode = 'PX409';
  end if;
  update portolan.jobs j
  set state = case when j.state = 'running' and change_job.state = 'queued' then 'running' else change_job.state end,
    error = null,
    lock_wait = coalesce(change_job.lock_wait, j.lock_wait),
    position = j.position - 'waited_ms',
    updated = now()
  where j.id = change_job.id
  returning j.state into v_state;
  if v_state <> v_job.state then
    insert into portolan.audit (event, account, address, details)
    values ('job.changed', v_job.started_by, portolan.caller_address(),
      jsonb_build_object(
        'job', id, 'kind', v_job.kind, 'relation', v_job.relation, 'by', portolan.actor(),
        'before', jsonb_build_object('state', v_job.state), 'after', jsonb_build_object('state', v_state)));
  end if;
exception
  when unique_violation then
    raise exception 'another job does the same' using errcode = 'PX409';
end
$$;
