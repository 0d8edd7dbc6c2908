-- The difference between a table at two instants, in the order of its key: rows that exist only at the later instant
-- (insert), only at the earlier one (delete), and at both with other values (update), with their values before and
-- after, the last writer and the time. until null: now. A value that was changed and changed back is not a difference.
-- Security invoker: the caller sees what its rights on the table, which are mirrored on the history, allow; `by` is
-- null for a caller who may read only some columns. Raises PX400 for a table without history and instants in the wrong
-- order, PX409, 42501.
create or replace function portolan.diff(
  relation regclass, since timestamptz, until timestamptz default null, most integer default 100, skipped bigint default 0
) returns table (key text, change text, at timestamptz, by text, before jsonb, after jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_history regclass := portolan.history_of(relation);
  v_key text[] := portolan.key_columns(relation);
  v_names boolean := has_column_privilege(v_history, 'portolan_by', 'select');
begin
  if since is null or since >= coalesce(until, 'infinity') then
    raise exception 'the first instant must be before the second' using errcode = 'PX400';
  end if;
  return query execute format(
    $sql$
    with gone as (
      select %1$s, %2$s as key, %3$s as record
      from %4$s h
      where h.portolan_from <= $1 and h.portolan_to > $1 and h.portolan_to <= $2
        and h.portolan_to <> 'infinity' and (select portolan.fresh_history(%5$L::regclass))
    ), come as (
      select %1$s, %2$s as key, %3$s as record, h.portolan_from as at, %6$s as by
      from %4$s h
      where h.portolan_from > $1 and h.portolan_from <= $2 and (h.portolan_to > $2 or h.portolan_to = 'infinity')
        and (select portolan.fresh_history(%5$L::regclass))
    )
    select
      coalesce(c.key, g.key),
      case when g.key is null then 'insert' when c.key is null then 'delete' else 'update' end,
      coalesce(c.at, l.at),
      portolan.writer(coalesce(c.by, l.by)),
      g.record,
      c.record
    from gone g
      full join come c using (%7$s)
      left join lateral (
        select h.portolan_to as at, %8$s as by
        from %4$s h
        where c.key is null and %9$s and h.portolan_to <= $2
        order by h.portolan_to desc
        limit 1
      ) l on true
    where g.record is distinct from c.record
    order by %7$s
    limit $3 offset $4
    $sql$,
    (select string_agg(format('h.%I', k), ', ') from unnest(v_key) k),
    portolan.key_text(relation, 'h'),
    portolan.readable_record(relation, v_history, 'h'),
    v_history,
    relation,
    case when v_names then 'h.portolan_by' else 'null' end,
    (select string_agg(quote_ident(k), ', ') from unnest(v_key) k),
    case when v_names then 'h.portolan_ended_by' else 'null' end,
    (select string_agg(format('h.%1$I = g.%1$I', k), ' and ') from unnest(v_key) k)
  ) using since, coalesce(until, 'infinity'), most, skipped;
end
$$;
