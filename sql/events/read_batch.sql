-- The change events of one batch for `tables` (partitions count as their partitioned table), in order of delivery:
-- transactions by the highest id that they wrote. That order respects every conflict between two writers of a row, since the
-- second can write only after the first has ended. Begins after the event (after_last, after_id), and returns about `bytes`
-- at most. The gateway calls it.
--
-- kept: false when the batch, or a part of it, is deleted; then that row is the only one. shape is null where there are no
-- records: after TRUNCATE, and where they take more than 50 MB, which no client could receive. final: no further event of
-- this transaction and table follows. more: further events follow in this batch.
create or replace function portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint)
  returns table (
    kept boolean, last bigint, id bigint, xid text, at double precision, root oid, relation oid, shape bigint,
    operation "char", depth smallint, old text, new text, size bigint, final boolean, more boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read the outbox
  set enable_seqscan = off -- the range of ids is a parameter: a generic plan would read the whole outbox
  set jit = off -- disabled plans count as expensive, so that the statement would be compiled each time
as $$
#variable_conflict use_column
declare
  v_from pg_snapshot := (select b.snapshot from portolan.batches b where b.n = batch - 1);
  v_to pg_snapshot := (select b.snapshot from portolan.batches b where b.n = batch);
begin
  if v_from is null or v_to is null then
    return query select false, 0::bigint, 0::bigint, '', 0::float8, 0::oid, 0::oid, 0::bigint, 't'::"char", 0::smallint,
      null::text, null::text, 0::bigint, true, false;
    return;
  end if;
  return query
  with seen as materialized (
    select
      o.ctid as place, o.id, o.xid, coalesce(pg_partition_root(o.relation)::oid, o.relation) as root,
      max(o.id) over (partition by o.xid) as last,
      coalesce(pg_column_size(o.old), 0) + coalesce(pg_column_size(o.new), 0) as size
    from portolan.outbox o
    where (o.xid >= pg_snapshot_xmax(v_from) and o.xid < pg_snapshot_xmax(v_to)
        or o.xid = any (array(select pg_snapshot_xip(v_from))))
      and pg_visible_in_snapshot(o.xid, v_to)
      and o.operation <> 'v' -- nobody subscribes to a table without events
  ), wanted as (
    select
      s.place, s.id, s.xid, s.root, s.last, s.size,
      s.id = max(s.id) over (partition by s.xid, s.root) as final
    from seen s
    where s.root = any (tables)
  ), rest as (
    select w.*, sum(w.size) over (order by w.last, w.id) as sum
    from wanted w
    where (w.last, w.id) > (after_last, after_id)
  ), page as (
    select r.*, (select max(a.sum) from rest a) > r.sum as more
    from rest r
    where r.sum - r.size < bytes
    order by r.last, r.id
    limit 50000
  )
  select
    true, p.last, p.id, p.xid::text, extract(epoch from o.at)::float8 * 1000, p.root, o.relation,
    case when p.size <= 50000000 then o.shape end, o.operation, o.depth,
    case when p.size <= 50000000 then array_to_json(o.old)::text end,
    case when p.size <= 50000000 then array_to_json(o.new)::text end,
    least(p.size, 50000000)::bigint, p.final, p.more
  from page p
    join portolan.outbox o on o.ctid = p.place -- in one statement a row stays where it is
  order by p.last, p.id;
end
$$;
