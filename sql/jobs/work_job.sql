-- Does the next portion of the oldest job that no session works on (id: only of this job), in the caller's transaction,
-- which must hold nothing else. Returns the job afterwards, no row where there is none, and pause_ms: how long to wait
-- before the next call, because another session holds a lock (0: continue at once). A portion that fails keeps the
-- earlier ones. Called by gateways and by `portolan jobs run`.
create or replace function portolan.work_job(id bigint default null)
  returns table (job bigint, kind text, relation text, state text, done bigint, total bigint, error text, pause_ms integer)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the work is the owner's right
  set lock_timeout = '50ms' -- a wait for a lock makes writers wait
as $$
#variable_conflict use_variable
declare
  v_job portolan.jobs;
  v_next jsonb;
  v_rows bigint := 0;
  v_waited integer;
begin
  update portolan.jobs j
  set state = 'failed', updated = clock_timestamp(),
    error = case j.kind when 'import' then 'the gateway that read the file is gone' else 'the gateway that made it is gone' end
  where j.kind in ('import', 'download') and j.state = 'running' and j.updated < clock_timestamp() - interval '1 min';
  select j.* into v_job
  from portolan.jobs j
  where j.state in ('queued', 'running') and j.kind not in ('import', 'download', 'tiles') and (work_job.id is null or j.id = work_job.id)
  order by j.id
  limit 1
  for update skip locked;
  if not found then
    return;
  end if;
  perform set_config('portolan.user', v_job.started_by, true); -- the account that the audit must name
  v_waited := coalesce((v_job.position ->> 'waited_ms')::integer, 0);
  pause_ms := 0;
  begin
    if not exists (select from pg_class c where c.oid = v_job.relation) then
      raise exception 'the table is gone' using errcode = 'PX404';
    end if;
    case v_job.kind
      when 'versioning' then
        select p.next, p.rows into v_next, v_rows
        from portolan.version_portion(v_job.relation, v_job.position - 'waited_ms') p;
      when 'end_versioning' then
        select p.next, p.rows into v_next, v_rows from portolan.end_portion(v_job.relation, v_job.position - 'waited_ms') p;
      when 'workflow' then
        perform portolan.make_workflow(v_job.relation);
      when 'events' then
        perform portolan.make_events(v_job.relation);
    end case;
    v_job.done := v_job.done + v_rows;
    v_job.position := coalesce(v_next, '{}');
    v_job.state := case when v_next is null then 'done' else 'running' end;
    v_job.total := case v_job.state when 'done' then v_job.done else greatest(v_job.total, v_job.done) end;
    v_job.error := null;
  exception
    when lock_not_available or deadlock_detected or serialization_failure then
      pause_ms := least(5000, greatest(50, v_waited / 2)); -- the pause grows
      v_job.state := 'running';
      v_job.position := v_job.position || jsonb_build_object('waited_ms', v_waited + pause_ms);
      v_job.error := 'waits for a lock of another session';
      if (v_waited + pause_ms) * interval '1 ms' > v_job.lock_wait then
        v_job.state := 'failed';
        v_job.error := format('the lock on %s could not be taken within %s', v_job.relation, v_job.lock_wait);
        pause_ms := 0;
      end if;
    when others then
      v_job.state := 'failed';
      v_job.error := sqlerrm;
  end;
  update portolan.jobs j
  set state = v_job.state, done = v_job.done, total = v_job.total, error = v_job.error, position = v_job.position,
    updated = clock_timestamp()
  where j.id = v_job.id;
  return query
    select v_job.id, v_job.kind, v_job.relation::text, v_job.state, v_job.done, v_job.total, v_job.error, pause_ms;
end
$$;
