-- The unpublished rows of a table with a workflow that the caller sees, in the order of their key: who wrote, reviewed
-- and published them last, the columns that the caller may read, and their last published values if the history of the
-- table has them. `version` changes with every change of what is shown; move_rows takes it. wanted: drafted or
-- reviewed; the default is both. Security invoker. Raises PX400, 42501, and PX409 while the history follows DDL.
create or replace function portolan.waiting_rows(
  relation regclass, wanted text default null, most integer default 100, skipped bigint default 0
) returns table (
    key text, state text, author text, reviewer text, publisher text, version text, published jsonb, record jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_history regclass := case when portolan.versioned_since(relation) is not null then portolan.history_of(relation) end;
begin
  if not portolan.has_workflow(relation) then
    raise exception '% has no workflow', relation using errcode = 'PX400';
  end if;
  return query execute format(
    $sql$
    select %1$s, ('{drafted,reviewed}'::text[])[t.portolan_status], t.portolan_workflow ->> 'author',
      t.portolan_workflow ->> 'reviewer', t.portolan_workflow ->> 'publisher', md5(n.record::text),
      %2$s - array['portolan_status', 'portolan_workflow'], n.record - array['portolan_status', 'portolan_workflow']
    -- offset 0: a record is made only once, since a record with a large geometry takes long
    from %3$s t cross join lateral (select %4$s as record offset 0) n
    where t.portolan_status < 3 and ($1 is null or t.portolan_status = array_position('{drafted,reviewed}', $1))
    order by %5$s
    limit $2 offset $3
    $sql$,
    portolan.key_text(relation, 't'),
    case when v_history is null then 'null::jsonb' else format(
      '(select %s from %s h where %s and h.portolan_status = 3 and portolan.fresh_history(%L::regclass) '
      'order by h.portolan_from desc limit 1)',
      portolan.readable_record(relation, v_history, 'h'), v_history,
      (select string_agg(format('h.%1$I = t.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k), relation)
    end,
    relation,
    portolan.readable_record(relation, relation, 't'),
    (select string_agg(format('t.%I', k), ', ') from unnest(portolan.key_columns(relation)) k)
  ) using wanted, most, skipped;
end
$$;
