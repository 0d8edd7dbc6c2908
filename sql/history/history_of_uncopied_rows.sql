-- The lines of a history trigger that begin a version of each old row that has none yet, while the rows of the table are
-- being copied.
create or replace function portolan.history_of_uncopied_rows(relation regclass, member oid, history regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format($body$
    insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s, greatest(now() - interval '1 microsecond', l.portolan_to), 'infinity', '3', null,
        coalesce(l.portolan_version, 0) + 1
      from old_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s) and l.portolan_to is distinct from 'infinity'
      on conflict do nothing;$body$,
    history, portolan.history_columns(relation, ''), portolan.history_columns(relation, 'n.'), member,
    portolan.history_key_match(relation, 'h', 'n'), portolan.shape_stamp(member));
end
$$;
