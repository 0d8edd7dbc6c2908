-- Drops the slot of events on a node of Citus (by the id of its group), so that it keeps no log for it. The gateway that reads
-- the events calls it where no table has events any more, and when the database falls asleep. The position is kept until the
-- slot is gone: the problem, null when it is.
create or replace function portolan.leave_shard(node integer) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may drop slots
as $$
declare
  v_problem text;
begin
  if exists (select from pg_dist_node n where n.groupid = leave_shard.node and n.noderole = 'primary') then
    perform portolan.run_on_node(node, format(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %L and not active',
      portolan.shard_slot()));
    select case when not c.success then c.result when c.result <> '0' then 'its replication slot is in use' end into v_problem
    from portolan.run_on_node(node, format(
      'select count(*) from pg_replication_slots where slot_name = %L', portolan.shard_slot())) c;
    if v_problem is not null then
      return v_problem;
    end if;
    perform portolan.run_on_node(node,
      $command$do $do$ begin
        set local citus.enable_ddl_propagation = off;
        drop publication if exists portolan_truncations;
      end $do$ $command$);
  end if;
  delete from portolan.shard_positions p where p.node = leave_shard.node;
  return null;
end
$$;
