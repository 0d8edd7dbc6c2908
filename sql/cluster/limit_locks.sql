-- Limits how long the rest of the transaction waits for a lock, here and on the nodes of Citus, which are told by a statement of
-- the transaction only. `default`: as the session and the nodes have it. A function with `set lock_timeout` of its own has that
-- again at its end, here but not on the nodes.
create or replace function portolan.limit_locks(timeout text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_propagated constant text := current_setting('citus.propagate_set_commands', true);
begin
  if v_propagated is not null then
    perform set_config('citus.propagate_set_commands', 'local', true);
  end if;
  execute format('set local lock_timeout to %s', case timeout when 'default' then 'default' else quote_literal(timeout) end);
  if v_propagated is not null then
    perform set_config('citus.propagate_set_commands', v_propagated, true);
  end if;
end
$$;
