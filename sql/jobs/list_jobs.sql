-- The jobs, latest first, or the one of this number: all for super users, for others those that they have begun, none
-- for the default user. GET /jobs. Raises 42501 for a caller that is not an account.
create or replace function portolan.list_jobs(id bigint default null)
  returns table (
    id bigint, kind text, relation text, state text, done bigint, total bigint, started_by text, started timestamptz,
    updated timestamptz, error text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.jobs
as $$
  with caller as materialized (
    select portolan.own_things() as account
  )
  select j.id, j.kind, j.relation::text, j.state, j.done, j.total, j.started_by, j.started, j.updated, j.error
  from portolan.jobs j cross join caller c
  where (list_jobs.id is null or j.id = list_jobs.id) and (c.account is null or j.started_by = c.account and j.started >= portolan.made_at(c.account))
  order by j.id desc
  limit 1000
$$;
