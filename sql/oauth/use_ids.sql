-- Records the `jti` of proofs, for the given number of seconds, and returns which of them are new (`first`, from 1).
-- The store of each gateway calls it. With `alone` it asks to answer from its memory for the next second: `is_alone`
-- says that it may, because no other store has come within a minute. It asks again before the second ends, and ends it
-- by asking without `alone`. While another store is alone, nothing is recorded, and `wait_ms` is the longest wait.
-- `is_complete`: no other store has recorded an id since this store did. `lost_seconds`: ids that were used longer ago
-- than this may be missing, because a store or PostgreSQL has crashed.
create or replace function portolan.use_ids(
  keeper uuid,
  ids uuid[],
  seconds integer,
  alone boolean,
  out first integer[],
  out is_alone boolean,
  out is_complete boolean,
  out wait_ms integer,
  out lost_seconds double precision
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write these tables
as $$
declare
  v_row portolan.id_keeper;
  v_now timestamptz;
begin
  select k.* into v_row from portolan.id_keeper k for update;
  if not found then
    insert into portolan.id_keeper (lost_at) values (clock_timestamp()) on conflict do nothing;
    select k.* into v_row from portolan.id_keeper k for update;
  end if;
  v_now := clock_timestamp();
  first := '{}';
  is_alone := false;
  is_complete := v_row.keeper is not distinct from use_ids.keeper;
  wait_ms := 0;
  if not is_complete and v_row.alone_until > v_now then
    update portolan.id_keeper k set others_at = v_now where k.others_at is null or k.others_at < v_now - interval '1 second';
    wait_ms := ceil(1000 * extract(epoch from v_row.alone_until - v_now));
    return;
  end if;
  if not is_complete then
    if v_row.keeper is not null then
      v_row.others_at := v_now;
    end if;
    v_row.lost_at := coalesce(v_row.alone_until, v_row.lost_at); -- it did not say that it had written everything
  end if;
  is_alone := alone and coalesce(v_row.others_at < v_now - interval '1 minute', true);
  lost_seconds := extract(epoch from v_now - v_row.lost_at);
  if is_alone or not is_complete or v_row.alone_until is not null then
    update portolan.id_keeper k
    set
      keeper = use_ids.keeper,
      others_at = v_row.others_at,
      -- a refused store has until the end of its time to write down what it has answered since
      alone_until = case when is_alone then v_now + interval '1 second' when alone and is_complete then v_row.alone_until end,
      lost_at = v_row.lost_at;
  end if;
  with asked as (
    select a.id, a.number from unnest(ids) with ordinality a (id, number)
  ), noted as (
    insert into portolan.used_ids (id, expires_at)
    select a.id, v_now + make_interval(secs => use_ids.seconds) from asked a order by a.id
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(a.number::integer), '{}') into first from asked a join noted n on n.id = a.id;
end
$$;
