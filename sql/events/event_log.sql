-- The order of change events after batch `after`: at most `most` batches, oldest first, only those that hold one of `tables`
-- where that is given. Always at least one row, with epoch, floor (the oldest kept batch and its last id: everything before
-- it is gone), head, and whether the batch after `after` is known: one between floor and head is not where it was lost at the
-- promotion of a standby (see take_lease).
create or replace function portolan.event_log(after bigint, most integer, tables oid[] default null)
  returns table (
    epoch text, floor bigint, floor_last bigint, head bigint, head_last bigint, n bigint, snapshot text, at timestamptz,
    last bigint, total bigint, relations oid[], known boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read the batches
as $$
  select r.epoch, f.n, f.last, h.n, h.last, b.n, b.snapshot::text, b.at, b.last, b.total, b.relations,
    exists (select from portolan.batches k where k.n = after + 1)
  from portolan.event_reader r
    left join lateral (select n, last from portolan.batches order by n limit 1) f on true
    left join lateral (select n, last from portolan.batches order by n desc limit 1) h on true
    left join lateral (
      select *
      from portolan.batches
      where n > after and (tables is null or relations && tables)
      order by n
      limit most
    ) b on true
  order by b.n
$$;
