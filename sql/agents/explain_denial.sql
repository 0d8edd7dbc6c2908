-- The reasons that decide the caller's requests on a table or view, for the agents' door, which turns them into
-- sentences: for each request whether it is granted (yes, no, some columns) and the decision of the rules, with the
-- number of the rule that decides; the owner; the policies of row security that apply to the caller; its role in the
-- workflow. Null where there is no such relation, and where the caller has neither a right to it nor a rule that
-- applies to it. Security invoker, since rights are the caller's.
create or replace function portolan.explain_denial(schema_name text, table_name text) returns jsonb
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class record;
  v_requests jsonb;
begin
  select c.oid, c.relkind, c.relowner, has_schema_privilege(n.oid, 'usage') as usable into v_class
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan');
  if not found then
    return null;
  end if;
  select jsonb_agg(jsonb_build_object('request', k.request, 'granted', k.granted, 'access', k.access, 'rule', k.rule))
  into v_requests
  from (
    select r.request,
      case
        when has_table_privilege(v_class.oid, r.request) then 'yes'
        when r.request <> 'delete' and has_any_column_privilege(v_class.oid, r.request) then 'some columns'
        else 'no'
      end as granted,
      portolan.access(v_class.oid::regclass, r.request) as access,
      (
        select m.id
        from portolan.my_rules m
        where m.relation = v_class.oid and m.command = r.command::"char" and not (select e.superuser from portolan.me e)
        order by m.priority, m.id
        limit 1) as rule
    from (values ('select', 'r'), ('insert', 'a'), ('update', 'w'), ('delete', 'd')) r (request, command)
  ) k;
  if not exists (
    select from jsonb_to_recordset(v_requests) q (granted text, rule integer)
    where q.granted <> 'no' or q.rule is not null)
  then
    return null;
  end if;
  return jsonb_build_object(
    'usage', v_class.usable,
    'owner', pg_get_userbyid(v_class.relowner),
    'requests', v_requests,
    'row_security', v_class.relkind in ('r', 'p') and row_security_active(v_class.oid),
    'policies', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', p.polname, 'restrictive', not p.polpermissive,
        'request', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end)
        order by p.polname)
      from pg_policy p
      where p.polrelid = v_class.oid and p.polname !~ '^portolan_(open|filter|rules_.*|workflow_.*)$'
        and (p.polroles = '{0}' or exists (select from unnest(p.polroles) r (role) where pg_has_role(r.role, 'usage')))), '[]'),
    'workflow', case when portolan.has_workflow(v_class.oid)
      then ('{reader,author,reviewer,publisher}'::text[])[portolan.workflow_level(v_class.oid) + 1] end);
end
$$;
