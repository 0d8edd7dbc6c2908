-- The files that are kept or being made, latest first: all for super users, for others those that they have begun,
-- none for the default user: its guests know each the ids of their own. GET /downloads. Raises 42501 for a caller that is no account.
create or replace function portolan.list_downloads()
  returns table (
    id text, job bigint, account text, collection text, format text, state text, rows bigint, bytes bigint,
    expires timestamptz, error text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.downloads
as $$
  with caller as materialized (
    select portolan.own_things() as account
  )
  select d.id, d.job, d.account, d.collection, d.format, j.state, j.done, d.bytes, d.expires, j.error
  from portolan.downloads d join portolan.jobs j on j.id = d.job cross join caller c
  where (c.account is null or d.account = c.account) and d.expires > now()
  order by d.job desc
  limit 1000
$$;
