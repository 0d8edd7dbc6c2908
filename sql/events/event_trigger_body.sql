-- The body of the trigger function of one table: it writes what a statement has changed to the outbox, as records in
-- PostgreSQL's own text, in the writer's transaction, and wakes the reader if it sleeps. One function for each table,
-- because its oid is then a constant: what the records' shape is (planned_stamp) is found out when a session plans the
-- statement, and again after every DDL on the table, which voids plans that read its transition tables. Looking it up
-- at every write would cost writers a tenth. Lean where one row was written, which is what applications do most: the
-- first row goes by itself, in one statement of few parts; the others of a larger statement follow in pieces
-- (emit_rows). What is not as it mostly is goes that way as a whole: an isolation level whose snapshot may be older
-- than the table's columns, on which the plan must not rest, and settings of the session that change the text of
-- values, which another session must be able to read.
create or replace function portolan.event_trigger_body(relation oid) returns text
  language sql stable
as $$
  select format($body$
declare
  v_more boolean := true;
  v_done integer := 0;
  v_old refcursor;
  v_new refcursor;
  v_operation text;
begin
  if %2$s
    and current_setting('transaction_isolation') = 'read committed'
    and current_setting('TimeZone') in ('UTC', 'Etc/UTC', 'GMT')
    and left(current_setting('DateStyle'), 3) = 'ISO'
    and current_setting('IntervalStyle') = 'postgres'
    and current_setting('extra_float_digits') in ('1', '2', '3')
    and current_setting('bytea_output') = 'hex'
  then
    if tg_op = 'UPDATE' then
      insert into portolan.outbox (relation, shape, operation, depth, old, new)
      select %1$s, portolan.planned_stamp(%1$s), 'u', pg_trigger_depth(), array[(o.*)::text], array[(n.*)::text]
      from old_rows o cross join new_rows n
      limit 1
      returning exists (select from new_rows offset 1) into v_more;
      v_done := 1;
    elsif tg_op = 'INSERT' then
      insert into portolan.outbox (relation, shape, operation, depth, new)
      select %1$s, portolan.planned_stamp(%1$s), 'i', pg_trigger_depth(), array[(n.*)::text]
      from new_rows n
      limit 1
      returning exists (select from new_rows offset 1) into v_more;
      v_done := 1;
    elsif tg_op = 'DELETE' then
      insert into portolan.outbox (relation, shape, operation, depth, old)
      select %1$s, portolan.planned_stamp(%1$s), 'd', pg_trigger_depth(), array[(o.*)::text]
      from old_rows o
      limit 1
      returning exists (select from old_rows offset 1) into v_more;
      v_done := 1;
    end if;
  end if;
  if tg_op = 'TRUNCATE' then
    insert into portolan.outbox (relation, operation, depth) values (%1$s, 't', pg_trigger_depth());
  elsif v_more then
    if tg_op <> 'INSERT' then
      open v_old for select (o.*)::text from old_rows o offset v_done;
    end if;
    if tg_op <> 'DELETE' then
      open v_new for select (n.*)::text from new_rows n offset v_done;
    end if;
    v_operation := lower(left(tg_op, 1));
    if not %2$s and tg_op = 'UPDATE' then
      -- an update that moves rows between partitions and is refused there leaves fewer new rows than old, and nothing
      -- tells which belong together
      if (select count(*) from old_rows) <> (select count(*) from new_rows) then
        v_operation := 'm';
      end if;
    end if;
    if not portolan.emit_rows(%1$s, v_operation::"char", v_old, v_new) then
      return null;
    end if;
  elsif v_more is null then
    return null; -- no row was written
  end if;
  -- The flag is read after the row is written, which is after the transaction got its id: either the reader, having set
  -- the flag, sees this transaction in flight, or this transaction sees the flag.
  if pg_sequence_last_value('portolan.asleep') = 1 then
    perform pg_notify('portolan', '');
  end if;
  return null;
end
$body$,
    c.oid,
    case when c.relkind = 'p' then 'false' else 'true' end)
  from pg_class c
  where c.oid = relation
$$;

comment on function portolan.event_trigger_body(oid) is 'The body of the function behind the triggers of events of one table.';

revoke execute on function portolan.event_trigger_body(oid) from public;
