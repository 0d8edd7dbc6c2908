-- The body of the trigger function of one table. It writes the changes of a statement to the outbox, as records in
-- PostgreSQL's own text, in the writer's transaction, and wakes the reader if it sleeps. Each table has its own function, so
-- that its oid, the stamp of its columns and the settings that their text depends on (event_settings) are constants.
-- planned_stamp says whether the columns are still these: it is computed when a session plans the statement, and again after
-- every DDL on the table, which invalidates plans that read its transition tables. Looking it up at every write would cost
-- writers a tenth.
--
-- Applications mostly write one row. That case is one statement, whose conditions are checked once. All other cases go
-- through emit_rows, for which the conditions of that statement are false: several rows, changed columns, an isolation level
-- whose snapshot may be older than the table's columns (planned_stamp), and session settings that change the text of values,
-- which another session must be able to read.
--
-- The function is SECURITY DEFINER and has no search_path of its own, since setting one costs each write as much as the
-- index of the outbox. Therefore every name has its schema, those of types and operators too. Transition tables come before
-- everything else.
create or replace function portolan.event_trigger_body(relation oid) returns text
  language plpgsql stable -- not sql, which would plan it at each call, for each table that has events
  set plan_cache_mode = force_generic_plan
as $sql$
begin
  return (
  select format($body$
declare
  v_old pg_catalog.refcursor;
  v_new pg_catalog.refcursor;
  v_operation pg_catalog.text;
begin
  if tg_op operator(pg_catalog.=) 'UPDATE' then
    insert into portolan.outbox (relation, shape, operation, depth, old, new)
    select %1$s, %2$s, 'u', pg_catalog.pg_trigger_depth(),
      array[(o.*)::pg_catalog.text], array[(n.*)::pg_catalog.text]
    from old_rows o cross join new_rows n
    where not exists (select from new_rows offset 1) and %3$s;
  elsif tg_op operator(pg_catalog.=) 'INSERT' then
    insert into portolan.outbox (relation, shape, operation, depth, new)
    select %1$s, %2$s, 'i', pg_catalog.pg_trigger_depth(), array[(n.*)::pg_catalog.text]
    from new_rows n
    where not exists (select from new_rows offset 1) and %3$s;
  elsif tg_op operator(pg_catalog.=) 'DELETE' then
    insert into portolan.outbox (relation, shape, operation, depth, old)
    select %1$s, %2$s, 'd', pg_catalog.pg_trigger_depth(), array[(o.*)::pg_catalog.text]
    from old_rows o
    where not exists (select from old_rows offset 1) and %3$s;
  else
    insert into portolan.outbox (relation, operation, depth) values (%1$s, 't', pg_catalog.pg_trigger_depth());
  end if;
  if not found then
    v_operation := pg_catalog.lower(pg_catalog.left(tg_op, 1));
    if v_operation operator(pg_catalog.<>) 'i' then
      if not exists (select from old_rows) then
        return null;
      end if;
      open v_old for select (o.*)::pg_catalog.text from old_rows o;
    end if;
    if v_operation operator(pg_catalog.<>) 'd' then
      if v_operation operator(pg_catalog.=) 'i' and not exists (select from new_rows) then
        return null;
      end if;
      open v_new for select (n.*)::pg_catalog.text from new_rows n;
    end if;
    %4$s
    if not portolan.emit_rows(%1$s, v_operation::pg_catalog."char", v_old, v_new) then
      return null;
    end if;
  end if;
  -- The flag is read after the row is written, and so after the transaction got its id. Either the reader, having set the
  -- flag, sees this transaction in flight, or this transaction sees the flag.
  if pg_catalog.pg_sequence_last_value('portolan.asleep') operator(pg_catalog.=) 1 then
    perform pg_catalog.pg_notify('portolan', '');
  end if;
  return null;
end
$body$,
    c.oid,
    k.stamp,
    case when c.relkind = 'p' then 'false' else
      concat_ws(' and ',
        format('portolan.planned_stamp(%s) operator(pg_catalog.=) %s', c.oid, k.stamp),
        (select string_agg(
            format('pg_catalog.current_setting(%L) %s', s.name,
              case s.name
                when 'TimeZone' then $$operator(pg_catalog.=) any (array['UTC', 'Etc/UTC', 'GMT'])$$
                when 'DateStyle' then $$operator(pg_catalog.~~) 'ISO%'$$
                when 'IntervalStyle' then $$operator(pg_catalog.=) 'postgres'$$
                when 'extra_float_digits' then $$operator(pg_catalog.=) any (array['1', '2', '3'])$$
                when 'bytea_output' then $$operator(pg_catalog.=) 'hex'$$
                when 'search_path' then $$operator(pg_catalog.=) 'pg_catalog, pg_temp'$$
              end),
            ' and ' order by s.name)
          from unnest(portolan.event_settings(c.oid)) s (name)))
    end,
    case when c.relkind = 'p' then $part$-- an update that moves rows between partitions and is refused there leaves fewer new rows than old, and nothing
    -- tells which records belong together
    if v_operation operator(pg_catalog.=) 'u' then
      if (select pg_catalog.count(*) from old_rows) operator(pg_catalog.<>) (select pg_catalog.count(*) from new_rows) then
        v_operation := 'm';
      end if;
    end if;$part$ else '' end)
  from pg_class c
    cross join portolan.shape_stamp(c.oid) k (stamp)
  where c.oid = relation);
end
$sql$;
