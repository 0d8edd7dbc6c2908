-- The tables in whose workflow the caller has a role, with the numbers of drafted and of reviewed rows that the caller
-- sees. Security invoker: the policies of the workflow decide which rows these are, an author's own or all. Used by GET
-- /workflow and `portolan workflow waiting`.
create or replace function portolan.waiting()
  returns table (schema text, "table" text, role text, drafted bigint, reviewed bigint)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_relation record;
begin
  for v_relation in
    select c.oid::regclass as name, n.nspname, c.relname,
      ('{author,reviewer,publisher}'::text[])[portolan.workflow_level(c.oid, true)] as role
    from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
    where t.tgname = '_700_workflow' and t.tgparentid = 0
      and has_schema_privilege(n.oid, 'usage')
      and has_column_privilege(c.oid, 'portolan_status', 'select')
    order by n.nspname, c.relname
  loop
    continue when v_relation.role is null;
    execute format(
      'select count(*) filter (where t.portolan_status = 1), count(*) filter (where t.portolan_status = 2) '
      'from %s t where t.portolan_status < 3', v_relation.name)
    into drafted, reviewed;
    schema := v_relation.nspname;
    "table" := v_relation.relname;
    role := v_relation.role;
    return next;
  end loop;
end
$$;
