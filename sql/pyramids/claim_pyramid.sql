-- The next pyramid that no gateway is making, for the gateway that makes it from now on. It records its progress at
-- least each minute; otherwise another gateway continues.
create or replace function portolan.claim_pyramid() returns setof portolan.pyramids
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: called by the gateway
as $$
declare
  v_job bigint;
begin
  select j.id into v_job
  from portolan.jobs j
  where j.kind = 'tiles' and (j.state = 'queued' or j.state = 'running' and j.updated < clock_timestamp() - interval '1 min')
  order by j.id
  limit 1
  for update skip locked;
  update portolan.jobs j
  set state = case when exists (select from portolan.pyramids p where p.job = j.id) then 'running' else 'stopped' end,
    error = null, updated = clock_timestamp()
  where j.id = v_job;
  return query select p.* from portolan.pyramids p where p.job = v_job;
end
$$;
