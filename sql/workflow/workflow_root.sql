-- The table whose workflow a table or partition has; null for none.
create or replace function portolan.workflow_root(relation oid) returns regclass
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select w.relation
  from portolan.workflow_tables w
  where w.relation = coalesce(pg_partition_root(workflow_root.relation), workflow_root.relation)
$$;
