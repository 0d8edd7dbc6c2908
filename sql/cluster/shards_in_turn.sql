-- Lets Citus change the shards of this transaction one by one: it refuses DDL on a table whose foreign key leads to one that
-- the transaction has changed in parallel. Called before a transaction changes rights, policies or roles. Does nothing without
-- Citus.
create or replace function portolan.shards_in_turn() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.has_citus() then
    perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
  end if;
end
$$;
