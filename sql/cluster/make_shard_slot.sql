-- Makes the slot of events on a node of Citus (by the id of its group) that has none, or begins to read one that somebody else
-- has made, as Patroni does with the slots of its configuration. anew: first drops one that cannot tell of changes any more, or not of all.
-- What was written before is a gap. Must not write before that: PostgreSQL makes a slot when all
-- transactions that write have ended.
create or replace function portolan.make_shard_slot(node integer, anew boolean) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_slot constant text := portolan.shard_slot();
begin
  if not exists (select from portolan.shard_nodes() n where n.node = make_shard_slot.node and n.wanted) then
    return; -- the last table has lost its events just now
  end if;
  -- TRUNCATE is logged for the shards, which are in no other publication
  perform portolan.run_on_node(node,
    $command$do $do$ begin
      if not exists (select from pg_publication where pubname = 'portolan_truncations') then
        set local citus.enable_ddl_propagation = off;
        create publication portolan_truncations for all tables with (publish = 'truncate');
      end if;
    end $do$ $command$);
  if anew then
    perform portolan.run_on_node(node, format(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %L and not active', v_slot));
  end if;
  if not exists (
    select from portolan.run_on_node(node, format(
      'select case when not exists (select from pg_replication_slots where slot_name = %1$L)
         then (pg_create_logical_replication_slot(%1$L, ''pgoutput'')).slot_name end', v_slot)) c
    where c.success and (c.result = v_slot or not exists (
      select from portolan.shard_positions p where p.node = make_shard_slot.node)))
  then
    return;
  end if;
  insert into portolan.shard_positions (node, upto) values (make_shard_slot.node, '0/0')
  on conflict on constraint shard_positions_pkey do update set upto = excluded.upto, timeline = null;
  insert into portolan.outbox (relation, operation)
  select t.relation, 't' from portolan.event_tables t where t.active and portolan.is_followed(t.relation);
  perform pg_notify('portolan', '');
end
$$;
