-- Records the progress of an import, or how it ended (state). Returns whether it may continue: false if another session has
-- stopped it, null where it has ended. An import whose rows are there is done, whatever was recorded meanwhile. An import
-- without a record for a minute was left by its gateway, and work_job finds it; it continues where only the clock was set.
create or replace function portolan.note_import(
  id bigint, done bigint, total bigint, state text default 'running', error text default null
) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
  update portolan.jobs j
  set done = note_import.done,
    total = case note_import.state when 'done' then note_import.done else greatest(note_import.total, note_import.done) end,
    state = case when j.state in ('running', 'failed') or note_import.state = 'done' then note_import.state else j.state end,
    error = note_import.error,
    updated = clock_timestamp()
  where j.id = note_import.id and j.kind = 'import' and (
      j.state in ('running', 'stopped') or note_import.state = 'done'
      or j.state = 'failed' and j.error = 'the gateway that read the file is gone')
  returning j.state <> 'stopped'
$$;
