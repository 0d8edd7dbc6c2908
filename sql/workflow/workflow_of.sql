-- Whether a table has a workflow, and the roles of accounts in it, in the form of REST.
create or replace function portolan.workflow_of(relation regclass) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read workflow_roles
as $$
  select jsonb_build_object(
    'enabled', exists (select from portolan.workflow_tables w where w.relation = workflow_of.relation),
    'roles', coalesce((
      select jsonb_agg(
        jsonb_build_object('subuser', w.user_name, 'role', ('{author,reviewer,publisher}'::text[])[w.level])
        order by w.user_name)
      from portolan.workflow_roles w
      where w.relation = workflow_of.relation), '[]'))
$$;
