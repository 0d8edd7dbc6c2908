-- Puts everything that became visible since the last batch into the order: the next batch, if there is anything. The process
-- that holds the lease (own_term) calls it, as a transaction of its own with synchronous_commit on: a durable batch makes
-- every transaction durable that it counts as finished. Always one row. held: whether the caller still has the lease.
-- in_flight: the running transactions, among which may be writers that did not see that the reader sleeps. The other
-- columns: the batch, null when there was none.
create or replace function portolan.cut_batch(own_term bigint)
  returns table (
    held boolean, in_flight text[], n bigint, snapshot text, at timestamptz, last bigint, total bigint, relations oid[])
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the batches
  set enable_seqscan = off -- the ids of the last batch are parameters: a generic plan would read the whole outbox
  set jit = off -- disabled plans count as expensive, so that the statement would be compiled each time
as $$
#variable_conflict use_column
begin
  -- One statement, so that the count and the stored snapshot are of the same moment. New rows are those that the last
  -- snapshot did not see: ids from its upper end on, and those that were in flight. The cost does not depend on how long
  -- another transaction has been open. Two readers cannot both succeed: the key of the batches refuses the second.
  return query
  with reader as (
    select r.term = own_term as held from portolan.event_reader r
  ), previous as (
    select b.n, b.snapshot, b.total from portolan.batches b order by b.n desc limit 1
  ), fresh as materialized (
    select
      o.id, o.relation, o.shape,
      64 + coalesce(pg_column_size(o.old), 0) + coalesce(pg_column_size(o.new), 0) as bytes
    from portolan.outbox o
    where o.xid >= (select pg_snapshot_xmax(p.snapshot) from previous p)
      or o.xid = any (array(select pg_snapshot_xip(p.snapshot) from previous p))
  ), batch as (
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    select
      p.n + 1,
      pg_current_snapshot(),
      max(f.id),
      count(*),
      p.total + 128 + sum(f.bytes),
      (select array_agg(distinct coalesce(pg_partition_root(d.relation)::oid, d.relation))
       from (select distinct g.relation from fresh g) d)
    from fresh f, previous p, reader r
    where r.held
    group by p.n, p.total
    returning *
  ), noted as (
    -- usually set by the first writer; not where its transaction was rolled back
    select portolan.note_shape(s.relation)
    from (select distinct f.relation, f.shape from fresh f where f.shape is not null) s
    where not exists (select from portolan.shapes k where k.relation = s.relation and k.stamp = s.shape)
  ), told as (
    select pg_notify('portolan_batch', '') from batch
  )
  select
    r.held,
    array(select x::text from pg_snapshot_xip(pg_current_snapshot()) x),
    b.n, b.snapshot::text, b.at, b.last, b.total, b.relations
  from reader r
    left join batch b on true
    left join told t on true
    join (select count(*) as shapes from noted) k on k.shapes >= 0; -- else it would not be executed
end
$$;
