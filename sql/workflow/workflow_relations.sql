-- The tables that have a workflow. The gateway reads them; GraphQL has a field for each.
create or replace function portolan.workflow_relations() returns table (schema text, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read workflow_tables
as $$
  select n.nspname::text, c.relname::text
  from portolan.workflow_tables w
    join pg_class c on c.oid = w.relation
    join pg_namespace n on n.oid = c.relnamespace
$$;
