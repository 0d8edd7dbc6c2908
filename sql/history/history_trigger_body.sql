-- The body of the trigger function that keeps the history of one table: it ends the open versions of replaced rows and
-- begins new ones, in the writer's transaction. A version begins at the start of the transaction that wrote it, moved
-- past the one that it replaces, so that each row has one version at every instant, even when the clock has been set
-- back. Earlier writes of the same transaction are replaced without a trace. Above read committed a transaction does
-- not see later commits; the numbers of versions, unique for each key, reveal them: PostgreSQL then raises 40001. It
-- tells the outbox that the table was written. There is one function for the table and one for each partition (member).
-- The part for each kind of statement is a function of its own, which returns lines of PL/pgSQL.
create or replace function portolan.history_trigger_body(relation regclass, member oid, history regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format($body$
declare
  v_by constant text := concat_ws('/', session_user, nullif(current_setting('portolan.user', true), ''));
  v_xid constant xid8 := pg_current_xact_id();
  v_again constant boolean := current_setting('portolan.wrote_%1$s', true) = v_xid::text;
  v_stale_snapshot constant boolean := current_setting('transaction_isolation') in ('repeatable read', 'serializable');
  v_replaced bigint := 0;
  v_ended bigint;
begin
  if tg_op = 'TRUNCATE' then
%2$s
    %5$s;
    return null;
  end if;
  -- the last version of a row is the one of the highest number: the index finds it, and ending it changes no index
  if tg_op <> 'INSERT' then%3$s
  end if;
  if tg_op <> 'DELETE' then
%4$s
  end if;
  if v_again is not true then
    perform set_config('portolan.wrote_%1$s', v_xid::text, true);
  end if;
  if tg_op = 'INSERT' then
    perform from new_rows limit 1;
  else
    perform from old_rows limit 1;
  end if;
  if found then
    %5$s;
  end if;
  return null;
end
$body$,
    relation::oid,
    portolan.history_of_truncate(relation, member, history),
    portolan.history_of_old_rows(relation, member, history),
    portolan.history_of_new_rows(relation, member, history),
    portolan.history_in_outbox(relation, member));
end
$$;
