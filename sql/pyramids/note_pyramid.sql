-- Records how many tiles a pyramid has, or how making it ended (state). Returns whether it may continue.
create or replace function portolan.note_pyramid(
  job bigint, done bigint, state text default 'running', error text default null
) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
  update portolan.jobs j
  set done = note_pyramid.done, total = greatest(note_pyramid.done, case note_pyramid.state when 'done' then 0 else j.total end),
    state = case j.state when 'running' then note_pyramid.state else j.state end, error = note_pyramid.error,
    updated = clock_timestamp()
  where j.id = note_pyramid.job and j.kind = 'tiles'
  returning j.state in ('running', 'done')
$$;
