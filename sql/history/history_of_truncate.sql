-- The lines of a history trigger that TRUNCATE runs: they end all open versions. For a partition they end only those of
-- its rows, which its constraint identifies, unless that runs code of the owner.
create or replace function portolan.history_of_truncate(relation regclass, member oid, history regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select format($body$    if v_stale_snapshot then
      raise exception 'TRUNCATE of a table with history needs the isolation level read committed: another snapshot may not see all rows'
        using errcode = 'feature_not_supported', hint = 'use DELETE, or set transaction isolation level read committed';
    end if;
    %1$s
    delete from %2$s h where h.portolan_to = 'infinity' and h.portolan_tx = v_xid %3$s;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    where h.portolan_to = 'infinity' %3$s;$body$,
      case when p.is_partition and p.has_code then format($refuse$raise exception
      'TRUNCATE of %%, whose partition key runs the code of its owner, would run it with the rights of Portolan: use DELETE', %L
      using errcode = 'feature_not_supported';$refuse$, member::regclass) else '' end,
      history,
      case when p.is_partition and not p.has_code
        then format('and %s', coalesce(pg_get_partition_constraintdef(member), 'true')) else '' end)
    from (
      select member <> relation as is_partition, exists (
        select from pg_partition_ancestors(member) a (relid)
          join pg_partitioned_table t on t.partrelid = a.relid
          left join unnest(t.partattrs::smallint[]) k (attnum) on true
          left join pg_attribute c on c.attrelid = t.partrelid and c.attnum = k.attnum
        where k.attnum = 0 and portolan.planned_code(relation) is not null
          or exists (select from portolan.author_types(c.atttypid))) as has_code
    ) p);
end
$$;
