-- The body of the trigger function that keeps the history of one table: it ends the open versions of what a statement has
-- replaced and begins new ones, in the writer's transaction. A version begins at the start of the transaction that wrote it,
-- moved past the one that it replaces, so that of each row there is one version at every instant, also when the clock has
-- been set back. What the same transaction wrote before is replaced without a trace. Called by install_history, once for
-- the table and once for each partition (member).
create or replace function portolan.history_trigger_body(relation regclass, member oid, history regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format($body$
declare
  v_by constant text := concat_ws('/', session_user, nullif(current_setting('portolan.user', true), ''));
  v_xid constant xid8 := pg_current_xact_id();
  v_again constant boolean := current_setting('portolan.wrote_%1$s', true) = v_xid::text;
begin
  if tg_op = 'TRUNCATE' then
    delete from %2$s h where h.portolan_to = 'infinity' and h.portolan_tx = v_xid %6$s;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    where h.portolan_to = 'infinity' %6$s;
    return null;
  end if;
  -- the last version of a row is the one that began last: the index by key and beginning finds it, and ending it changes
  -- no index
  if tg_op = 'INSERT' then
    if current_setting('transaction_isolation') <> 'read committed' then
      -- a version that ended after this transaction's snapshot cannot be seen to have ended: PostgreSQL says so here
      perform from %2$s h join new_rows n on %4$s where h.portolan_to = 'infinity' for update of h;
    end if;
  else
    if v_again is true then
      delete from %2$s h using old_rows o where %3$s and h.portolan_to = 'infinity' and h.portolan_tx = v_xid;
    end if;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    from old_rows o
    where %3$s and h.portolan_to = 'infinity';
  end if;
  if tg_op <> 'DELETE' then
    insert into %2$s (%5$s, portolan_from, portolan_to, portolan_tx, portolan_by)
    select %7$s,
      greatest(now(), (select h.portolan_to from %2$s h where %8$s order by h.portolan_from desc limit 1)),
      'infinity', v_xid, v_by
    from new_rows n
    where portolan.planned_columns(%9$s, %10$s);
  end if;
  if v_again is not true then
    perform set_config('portolan.wrote_%1$s', v_xid::text, true);
  end if;
  return null;
end
$body$,
    relation::oid, history,
    format('%s and h.portolan_from = (select max(x.portolan_from) from %s x where %s)', k.old_match, history, k.old_last),
    format('%s and h.portolan_from = (select max(x.portolan_from) from %s x where %s)', k.new_match, history, k.new_last),
    c.names,
    -- whoever truncates a partition ends the versions of its rows alone
    case when member <> relation then format('and %s', coalesce(pg_get_partition_constraintdef(member), 'true')) else '' end,
    c.values, k.new_match, member, portolan.shape_stamp(member))
  from
    (
      select
        string_agg(format('h.%1$I = o.%1$I', name), ' and ') as old_match,
        string_agg(format('x.%1$I = o.%1$I', name), ' and ') as old_last,
        string_agg(format('h.%1$I = n.%1$I', name), ' and ') as new_match,
        string_agg(format('x.%1$I = n.%1$I', name), ' and ') as new_last
      from unnest(portolan.key_columns(relation)) name
    ) k,
    (
      select
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names,
        string_agg(format('n.%I', a.attname), ', ' order by a.attnum) as values
      from pg_attribute a
      where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    ) c
$$;

comment on function portolan.history_trigger_body(regclass, oid, regclass) is
  'The body of the trigger function that keeps the history of one table.';

revoke execute on function portolan.history_trigger_body(regclass, oid, regclass) from public;
