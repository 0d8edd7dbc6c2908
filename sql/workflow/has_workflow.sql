-- Whether a table has a workflow. The trigger tells, which everybody may see.
create or replace function portolan.has_workflow(relation regclass) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from pg_trigger t where t.tgrelid = relation and t.tgname = '_700_workflow' and t.tgparentid = 0)
$$;
