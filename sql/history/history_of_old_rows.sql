-- The lines of a history trigger that UPDATE and DELETE run first: they end the open versions of the old rows.
create or replace function portolan.history_of_old_rows(relation regclass, member oid, history regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select format($body$%1$s
    if v_again is true then
      delete from %2$s h using old_rows o
      where %3$s and h.portolan_to = 'infinity' and h.portolan_tx = v_xid and %4$s;
      get diagnostics v_replaced = row_count;
    end if;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    from old_rows o
    where %3$s and h.portolan_to = 'infinity' and %4$s;
    get diagnostics v_ended = row_count;
    if v_stale_snapshot and v_replaced + v_ended <> (select count(*) from old_rows) then
      perform portolan.refuse_version(%5$s); -- history was switched on since the snapshot
    end if;$body$,
      -- until all rows are copied (version_portion), the first writer of a row records its earlier values
      case when exists (select from portolan.versioned_tables v where v.relation = history_of_old_rows.relation and v.filling)
        then portolan.history_of_uncopied_rows(relation, member, history) end,
      history,
      format('%s and h.portolan_version = (select max(x.portolan_version) from %s x where %s)',
        portolan.history_key_match(relation, 'h', 'o'), history, portolan.history_key_match(relation, 'x', 'o')),
      -- a value of another type than the twin's would be cast
      format('portolan.planned_columns(%s, %s)', member, portolan.shape_stamp(member)),
      member));
end
$$;
