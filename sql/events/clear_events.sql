-- Deletes change events that are older than max_age_ms, or the oldest when all take more than max_bytes; at most about ten
-- thousand rows a call. Never events written after the last batch. The process that holds the lease calls it. Returns
-- whether there is more to delete. Writes nothing when there is nothing to delete.
create or replace function portolan.clear_events(max_age_ms double precision, max_bytes double precision) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may clear the outbox
  set enable_seqscan = off
  set jit = off -- disabled plans count as expensive, so that the statement would be compiled each time
as $$
declare
  v_cut bigint;
  v_batches bigint := 0;
  v_rows bigint := 0;
begin
  select max(o.n) into v_cut
  from (
    select b.n, b.at, b.total
    from portolan.batches b
    where b.n < (select max(l.n) from portolan.batches l)
    order by b.n
    limit 10000
  ) o
  where o.at < clock_timestamp() - make_interval(secs => max_age_ms / 1000)
    or o.total < (select l.total from portolan.batches l order by l.n desc limit 1) - max_bytes;
  -- batches first: from then on no reader takes a partly deleted range for complete
  if v_cut is not null then
    delete from portolan.batches b where b.n < v_cut;
    get diagnostics v_batches = row_count;
  end if;
  -- no kept batch holds what the oldest kept snapshot has seen
  delete from portolan.outbox o
  where o.ctid = any (array(
    select e.ctid
    from portolan.outbox e
    where e.xid < (select pg_snapshot_xmin(b.snapshot) from portolan.batches b order by b.n limit 1)
    limit 10000));
  get diagnostics v_rows = row_count;
  return v_batches >= 9999 or v_rows = 10000;
end
$$;
