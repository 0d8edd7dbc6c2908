-- Writes a row as it was at an instant: updates the present row, or inserts a deleted one. Security invoker: reading
-- the history and writing the table need the caller's own rights, and history keeps the replaced row. Triggers and
-- generated columns compute their values again. Raises PX400 for a table without history, PX404 when there was no such
-- row then, PX409, and the errors of the write.
create or replace function portolan.restore(relation regclass, key text, instant timestamptz) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_history regclass := portolan.history_of(relation);
  v_key text[] := portolan.key_columns(relation);
  v_columns text;
  v_set text;
  v_source text;
  v_found bigint;
begin
  select
    string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('%1$I = s.%1$I', a.attname), ', ' order by a.attnum)
      filter (where a.attname <> all (v_key) and a.attidentity <> 'a')
  into v_columns, v_set
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  v_source := format(
    'select %s from %s h where h.portolan_from <= $1 and h.portolan_to > $1 and %s and portolan.fresh_history(%L::regclass)',
    v_columns, v_history, portolan.key_condition(relation, key, 'h'), relation);
  execute v_source using instant;
  get diagnostics v_found = row_count;
  if v_found = 0 then
    raise exception '% had no such row at that instant', relation using errcode = 'PX404';
  end if;
  if v_set is not null then
    execute format('update %s t set %s from (%s) s where %s', relation, v_set, v_source,
      portolan.key_condition(relation, key, 't')) using instant;
    get diagnostics v_found = row_count;
    if v_found > 0 then
      return;
    end if;
  end if;
  execute format('insert into %s (%s) overriding system value %s', relation, v_columns, v_source) using instant;
end
$$;
