-- The snapshot of the calling statement, as PostgreSQL's text, without the transactions that wrote the request log and
-- nothing else. The log is written each second; where this text is the same, all other data are the same. The numbers of
-- such transactions, up to the last one that has ended, are treated as not yet assigned, and so are running transactions
-- with earlier numbers, as they were while they were the last ones. On a standby the text omits running transactions, so
-- that it tells nothing. Security invoker: most reads call it. In PL/pgSQL, although a view would cost half as much: a
-- standby cannot plan a statement that names an unlogged table.
create or replace function portolan.data_snapshot() returns text
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant pg_snapshot := pg_current_snapshot();
  -- in a variable: inside the statement it would be planned again each time, which takes 11 µs
  v_latest constant bigint := pg_snapshot_xmax(v_now)::text::bigint - 1;
  v_next bigint;
  v_open bigint[];
  v_number integer;
begin
  if not pg_is_in_recovery() then
    v_next := (
      select r.since::text::bigint
      from portolan.log_run r
      where r.last::text::bigint = v_latest
        and r.xmin = r.last::xid); -- else it was restored from a server that had given the number to another one
  end if;
  if v_next is null then
    return v_now;
  end if;
  if pg_snapshot_xmin(v_now) = pg_snapshot_xmax(v_now) then -- no transaction is running
    return format('%s:%s:', v_next, v_next);
  end if;
  v_open := array(select x.xid::text::bigint from pg_snapshot_xip(v_now) x (xid) where x.xid::text::bigint < v_next order by 1);
  v_number := cardinality(v_open);
  while v_number > 0 and v_open[v_number] = v_next - 1 loop
    v_number := v_number - 1;
    v_next := v_next - 1;
  end loop;
  return concat_ws(
    ':', case when v_number > 0 then v_open[1] else v_next end, v_next, array_to_string(v_open[:v_number], ','));
end
$$;
