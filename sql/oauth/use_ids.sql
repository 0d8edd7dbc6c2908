-- Notes ids that count once, each for so many seconds, and returns those that nobody had used before. The gateway calls it for
-- the `jti` of proofs and assertions.
create or replace function portolan.use_ids(hashes text[], seconds integer[]) returns setof text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.used_ids
as $$
  insert into portolan.used_ids (hash, expires_at)
  select i.hash, clock_timestamp() + make_interval(secs => i.seconds)
  from unnest(hashes, use_ids.seconds) i (hash, seconds)
  order by i.hash -- two gateways wait for each other in one order
  on conflict do nothing
  returning hash
$$;
