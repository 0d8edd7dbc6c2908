-- Runs a statement on a node of Citus (by the id of its group), under the rights of the owner of Portolan. result: its one
-- value, or where it fails the error. No row where there is no such node.
create or replace function portolan.run_on_node(node integer, command text) returns table (success boolean, result text)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select r.success, r.result
    from pg_dist_node n
      cross join lateral master_run_on_worker(array[n.nodename], array[n.nodeport], array[command], true) r
    where n.groupid = run_on_node.node and n.noderole = 'primary';
end
$$;
