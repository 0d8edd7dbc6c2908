-- The ids of proofs that could come again, the oldest first, with the seconds until they may be forgotten. The gateway that
-- answers from its memory reads them before.
create or replace function portolan.live_ids() returns table (id uuid, seconds double precision)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.used_ids
as $$
  select i.id, extract(epoch from i.expires_at - clock_timestamp())::float8
  from portolan.used_ids i
  where i.expires_at between now() and now() + interval '2 minutes' -- an assertion may last longer
  order by i.expires_at
$$;
