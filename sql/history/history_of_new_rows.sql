-- The lines of a history trigger that INSERT runs, and UPDATE after it has ended the old versions: they begin new ones.
create or replace function portolan.history_of_new_rows(relation regclass, member oid, history regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format($body$    if v_stale_snapshot then
      %1$s
      on conflict do nothing; -- raises 40001 where it does not see what it conflicts with
    else
      %1$s;
    end if;$body$,
    format($insert$insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s,
        case when l.portolan_to = 'infinity' then portolan.refuse_version(%4$s) else greatest(now(), l.portolan_to) end,
        'infinity', v_xid, v_by, coalesce(l.portolan_version, 0) + 1
      from new_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s)$insert$,
      history, portolan.history_columns(relation, ''), portolan.history_columns(relation, 'n.'), member,
      portolan.history_key_match(relation, 'h', 'n'), portolan.shape_stamp(member)));
end
$$;
