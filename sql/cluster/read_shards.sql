-- The changes of tables with events in the logs of the nodes of Citus since the last call, for the gateway that reads the
-- events. Each row is a node: its group, the position that is kept already (known), and a text with the position up to which
-- it was read, the time of that, the number of changes, and each message of pgoutput in hexadecimal, by line. It reads about
-- `most` changes, by whole transactions. A node that does not answer has a problem instead. No row where no table of Citus has
-- events. Makes missing slots, and drops slots that no table needs.
create or replace function portolan.read_shards(most integer) returns table (node integer, known text, log text, problem text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read logs
as $$
declare
  v_slot constant text := portolan.shard_slot();
  v_command text;
  v_missing boolean := false;
begin
  if not exists (
    select from pg_publication p
      join pg_publication_rel r on r.prpubid = p.oid
      join portolan.event_tables t on t.active and r.prrelid = any (t.members)
    where p.pubname = 'portolan_events')
  then
    if exists (select from portolan.shard_positions) then
      perform run_command_on_all_nodes(format(
        'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %L and not active', v_slot));
      delete from portolan.shard_positions;
    end if;
    return;
  end if;
  -- what was kept is forgotten first; a node that crashed may have forgotten that, so the gateway skips what it has
  v_command := format($command$
    with settings as materialized (
      select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
        set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
        set_config('bytea_output', 'hex', true)
    ), slot as materialized (
      -- flushed: what is only written yet is not decoded, and would be skipped
      select s.slot_name, pg_current_wal_flush_lsn() as upto, clock_timestamp() as at,
        case when p.upto > s.confirmed_flush_lsn then (pg_replication_slot_advance(s.slot_name, p.upto)).end_lsn end as moved
      from settings
        cross join pg_dist_local_group g
        cross join pg_replication_slots s
        left join (values %1$s) p (node, upto) on p.node = g.groupid
      where s.slot_name = %2$L
    )
    select concat_ws(E'\n', format('%%s %%s %%s', s.upto, extract(epoch from s.at), count(c.data)), string_agg(encode(c.data, 'hex'), E'\n'))
    from slot s
      left join lateral pg_logical_slot_peek_binary_changes(s.slot_name, s.upto, %3$s, 'proto_version', '1',
        'publication_names', 'portolan_events,portolan_truncations') c on true
    group by s.upto, s.at$command$,
    coalesce((select string_agg(format('(%s, %L::pg_lsn)', p.node, p.upto), ', ') from portolan.shard_positions p),
      '(-1, null::pg_lsn)'),
    v_slot, most);
  for node, known, log, problem in
    select n.groupid, (select p.upto::text from portolan.shard_positions p where p.node = n.groupid),
      case when c.success then c.result end, case when not c.success then c.result end
    from run_command_on_all_nodes(v_command) c join pg_dist_node n using (nodeid)
    where n.isactive
  loop
    if log = '' or problem ~ 'can no longer get changes|publication .* does not exist' then
      v_missing := true;
    else
      return next;
    end if;
  end loop;
  if v_missing then
    perform portolan.make_shard_slots(v_slot);
  end if;
end
$$;

-- Makes the slot on each node that has none, or one that has fallen behind max_slot_wal_keep_size. What was written before is
-- a gap. Must not write before that: PostgreSQL makes a slot when all transactions that write have ended.
create or replace function portolan.make_shard_slots(slot text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_made integer[];
begin
  -- TRUNCATE is logged for the shards, which are in no other publication
  perform run_command_on_all_nodes(
    $command$do $do$ begin
      if not exists (select from pg_publication where pubname = 'portolan_truncations') then
        set local citus.enable_ddl_propagation = off;
        create publication portolan_truncations for all tables with (publish = 'truncate');
      end if;
    end $do$ $command$);
  perform run_command_on_all_nodes(format(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %L and wal_status = ''lost''', slot));
  v_made := array(
    select n.groupid
    from run_command_on_all_nodes(format(
        'select case when not exists (select from pg_replication_slots where slot_name = %1$L)
           then (pg_create_logical_replication_slot(%1$L, ''pgoutput'')).slot_name end', slot)) c
      join pg_dist_node n using (nodeid)
    where c.success and c.result = slot);
  if v_made = '{}' then
    return;
  end if;
  insert into portolan.shard_positions (node, upto)
  select m, '0/0' from unnest(v_made) m
  on conflict (node) do update set upto = excluded.upto;
  insert into portolan.outbox (relation, operation)
  select t.relation, 't' from portolan.event_tables t where t.active and portolan.is_followed(t.relation);
  perform pg_notify('portolan', '');
end
$$;
