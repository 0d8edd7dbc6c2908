-- The body of the trigger function that keeps the history of one table: it ends the open versions of what a statement has
-- replaced and begins new ones, in the writer's transaction. A version begins at the start of the transaction that wrote it,
-- moved past the one that it replaces, so that of each row there is one version at every instant, also when the clock has
-- been set back. What the same transaction wrote before is replaced without a trace. Above read committed a transaction does
-- not see what was committed since its snapshot; the numbers of versions, unique for each key, tell: PostgreSQL then
-- raises 40001. It tells the outbox that the table was written. Called by install_history, once for the table and once
-- for each partition (member).
create or replace function portolan.history_trigger_body(relation regclass, member oid, history regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format($body$
declare
  v_by constant text := concat_ws('/', session_user, nullif(current_setting('portolan.user', true), ''));
  v_xid constant xid8 := pg_current_xact_id();
  v_again constant boolean := current_setting('portolan.wrote_%1$s', true) = v_xid::text;
  v_stale_snapshot constant boolean := current_setting('transaction_isolation') in ('repeatable read', 'serializable');
  v_replaced bigint := 0;
  v_ended bigint;
begin
  if tg_op = 'TRUNCATE' then
    if v_stale_snapshot then
      raise exception 'TRUNCATE of a table with history takes read committed: its snapshot may not see all that it empties'
        using errcode = 'feature_not_supported', hint = 'use DELETE, or set transaction isolation level read committed';
    end if;
    %10$s
    delete from %2$s h where h.portolan_to = 'infinity' and h.portolan_tx = v_xid %4$s;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    where h.portolan_to = 'infinity' %4$s;
    %7$s;
    return null;
  end if;
  -- the last version of a row is the one of the highest number: the index finds it, and ending it changes no index
  if tg_op <> 'INSERT' then%8$s
    if v_again is true then
      delete from %2$s h using old_rows o
      where %3$s and h.portolan_to = 'infinity' and h.portolan_tx = v_xid and %9$s;
      get diagnostics v_replaced = row_count;
    end if;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    from old_rows o
    where %3$s and h.portolan_to = 'infinity' and %9$s;
    get diagnostics v_ended = row_count;
    if v_stale_snapshot and v_replaced + v_ended <> (select count(*) from old_rows) then
      perform portolan.refuse_version(%5$s); -- history was switched on since the snapshot
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if v_stale_snapshot then
      %6$s
      on conflict do nothing; -- raises 40001 where it does not see what it conflicts with
    else
      %6$s;
    end if;
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
    %7$s;
  end if;
  return null;
end
$body$,
    relation::oid, history,
    format('%s and h.portolan_version = (select max(x.portolan_version) from %s x where %s)', k.old_match, history, k.old_last),
    -- whoever truncates a partition ends the versions of its rows alone
    case when member <> relation and not p.has_code
      then format('and %s', coalesce(pg_get_partition_constraintdef(member), 'true')) else '' end,
    member,
    format($insert$insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s,
        case when l.portolan_to = 'infinity' then portolan.refuse_version(%4$s) else greatest(now(), l.portolan_to) end,
        'infinity', v_xid, v_by, coalesce(l.portolan_version, 0) + 1
      from new_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s)$insert$,
      history, c.names, c.values, member, k.new_match, portolan.shape_stamp(member)),
    -- where the table has events these tell of the write: see table_stamp
    format($log$insert into portolan.outbox (relation, operation)
      select %1$s, 'v'
      where not exists (select from portolan.event_tables t where t.relation = %2$s and t.active)$log$,
      member, relation::oid),
    -- until all rows are copied (version_portion), the first who touches one writes what it was
    case when exists (select from portolan.versioned_tables v where v.relation = history_trigger_body.relation and v.filling)
    then format($insert$
    insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s, greatest(now() - interval '1 microsecond', l.portolan_to), 'infinity', '3', null,
        coalesce(l.portolan_version, 0) + 1
      from old_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s) and l.portolan_to is distinct from 'infinity'
      on conflict do nothing;$insert$,
      history, c.names, c.values, member, k.new_match, portolan.shape_stamp(member)) end,
    -- a value of another type than the twin's would be cast
    format('portolan.planned_columns(%s, %s)', member, portolan.shape_stamp(member)),
    case when member <> relation and p.has_code then format($refuse$raise exception
      'TRUNCATE of %%, whose partition key runs the code of its owner, would run it with the rights of Portolan: use DELETE', %L
      using errcode = 'feature_not_supported';$refuse$, member::regclass) else '' end)
  from
    (
      select exists (
        select from pg_partition_ancestors(member) a (relid)
          join pg_partitioned_table t on t.partrelid = a.relid
          left join unnest(t.partattrs::smallint[]) k (attnum) on true
          left join pg_attribute c on c.attrelid = t.partrelid and c.attnum = k.attnum
        where k.attnum = 0 and portolan.planned_code(relation) is not null
          or exists (select from portolan.author_types(c.atttypid))) as has_code
    ) p,
    (
      select
        string_agg(format('h.%1$I = o.%1$I', name), ' and ') as old_match,
        string_agg(format('x.%1$I = o.%1$I', name), ' and ') as old_last,
        string_agg(format('h.%1$I = n.%1$I', name), ' and ') as new_match
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
