-- Records how many rows a file has, or how it ended (state). Returns whether it may continue: false if another session has
-- stopped its job or removed it. A file without a record for a minute was left by its gateway, and work_job finds it. A
-- record that arrives after the end changes nothing.
create or replace function portolan.note_download(
  id text, done bigint, state text default 'running', error text default null, file jsonb default null
) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
#variable_conflict use_variable
declare
  v_goes_on boolean;
begin
  update portolan.jobs j
  set done = note_download.done,
    total = case note_download.state when 'done' then note_download.done else greatest(j.total, note_download.done) end,
    state = case when j.state = 'running' then note_download.state else j.state end,
    error = note_download.error,
    updated = clock_timestamp()
  from portolan.downloads d
  where d.id = note_download.id and j.id = d.job and j.state in ('running', 'stopped')
  returning j.state in ('running', 'done') into v_goes_on;
  if file is not null and v_goes_on then
    update portolan.downloads d
    set rights = file -> 'rights', bytes = (file ->> 'bytes')::bigint, etag = file ->> 'etag'
    where d.id = note_download.id;
  elsif v_goes_on is null then
    select j.state = 'done' into v_goes_on
    from portolan.downloads d join portolan.jobs j on j.id = d.job
    where d.id = note_download.id;
  end if;
  if v_goes_on is not true then
    delete from portolan.download_parts p where p.download = note_download.id;
  end if;
  return coalesce(v_goes_on, false);
end
$$;
