-- The versions of a row, oldest first: the time from which and until which each was valid (null: it still is), who wrote it,
-- who ended it, and the row. key: see key_condition. Security invoker: the caller sees what its rights on the table, which
-- are mirrored on the history, let it see, and no names where it may read only some columns. Raises PX400 for a table
-- without history, PX409 while the mirrored rights are outdated.
create or replace function portolan.history(relation regclass, key text)
  returns table (valid_from timestamptz, valid_until timestamptz, written_by text, ended_by text, record jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_history regclass := portolan.history_of(relation);
  v_names boolean := has_column_privilege(v_history, 'portolan_by', 'select');
begin
  return query execute format(
    'select h.portolan_from, nullif(h.portolan_to, ''infinity''), portolan.writer(%s), portolan.writer(%s), %s '
    'from %s h where %s and portolan.fresh_history(%L::regclass) order by h.portolan_from',
    case when v_names then 'h.portolan_by' else 'null' end,
    case when v_names then 'h.portolan_ended_by' else 'null' end,
    portolan.readable_record(relation, v_history, 'h'), v_history, portolan.key_condition(relation, key, 'h'), relation);
end
$$;
