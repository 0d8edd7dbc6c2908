-- Ends the history of a table. Recorded versions stay, readable by their owner, until drop_history is given (now or later).
-- Does nothing when the history is off. For a large table (over 100,000 rows) it is a job, which ends the open versions in
-- portions while writers continue: returns its number, and null when all is done. wait: do it in this call. Raises PX400,
-- PX404, 42501.
create or replace function portolan.disable_versioning(
  relation regclass, drop_history boolean default false, wait boolean default false) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to drop triggers is the owner's
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_job bigint;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  perform portolan.stop_jobs('versioning', relation);
  select v.* into v_table from portolan.versioned_tables v where v.relation = disable_versioning.relation;
  if not coalesce(wait, false) and (v_table.active or v_table.closing is not null) and portolan.is_large(relation) then
    v_job := portolan.queue_job('end_versioning', relation);
    update portolan.jobs j set position = jsonb_build_object('drop', coalesce(drop_history, false)) where j.id = v_job;
    return v_job;
  end if;
  perform portolan.stop_jobs('end_versioning', relation);
  perform portolan.end_history(relation, drop_history);
  perform portolan.close_history(v.history, v.closing) from portolan.versioned_tables v
  where v.relation = disable_versioning.relation and v.closing is not null;
  update portolan.versioned_tables v set closing = null where v.relation = disable_versioning.relation;
  return null;
end
$$;
