-- The caller's role in the workflow of each table, its own or that of a group: 1 author, 2 reviewer, 3 publisher.
create or replace view portolan.my_workflow with (security_barrier) as
  select w.relation, max(w.level) as level
  from portolan.me m, portolan.workflow_roles w
  where w.user_name = m.name or w.user_name = any ((select array_agg(g.name) from portolan.my_groups g)::text[])
  group by w.relation;
