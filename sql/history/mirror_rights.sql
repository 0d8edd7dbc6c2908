-- Gives a twin, and the function as_of_… that reads it, the rights of its table: the same grants on schema, table and
-- columns, row security where the table has it, and its policies for reading, word for word, with those of rules and
-- workflow. The table's owner, who is exempt from its row security, is exempt from the twin's too. Nobody else writes
-- the twin. A policy that policies_with_code names becomes one that lets nobody read except exempt roles.
create or replace function portolan.mirror_rights(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = '' -- names in policies come out qualified
as $$
#variable_conflict use_variable
declare
  v_class record;
  v_row record;
  v_above text;
  v_schema text;
begin
  select c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl, c.relname, n.nspname, n.nspacl, n.nspowner,
    portolan.rights_stamp(c.oid) as stamp
  into v_class
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  v_schema := v_class.nspname || '__history';
  if (select v.mirrored from portolan.versioned_tables v where v.relation = mirror_rights.relation) = v_class.stamp
    and pg_catalog.to_regprocedure(pg_catalog.format('%I.%I(timestamptz)', v_schema, 'as_of_' || v_class.relname)) is not null
  then
    return;
  end if;

  -- grants, in as few statements as possible: each writes the catalogue row of all grants again
  for v_row in
    select pg_catalog.string_agg(portolan.role_sql(g.grantee), ', ') as grantees
    from (
      select a.grantee
      from pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
      where c.oid = history and a.grantee <> c.relowner
      union
      select a.grantee
      from pg_catalog.pg_attribute t, pg_catalog.aclexplode(t.attacl) a
      where t.attrelid = history) g
    having pg_catalog.count(*) > 0
  loop
    execute pg_catalog.format('revoke all on table %s from %s', history, v_row.grantees);
  end loop;
  for v_row in
    select pg_catalog.string_agg(distinct portolan.role_sql(a.grantee), ', ') as grantees
    from pg_catalog.aclexplode(coalesce(v_class.nspacl, pg_catalog.acldefault('n', v_class.nspowner))) a
    where a.privilege_type = 'USAGE' and a.grantee <> (
      select n.nspowner from pg_catalog.pg_namespace n where n.nspname = v_schema)
    having pg_catalog.count(*) > 0
  loop
    execute pg_catalog.format('grant usage on schema %I to %s', v_schema, v_row.grantees);
  end loop;
  for v_row in
    select g.columns, pg_catalog.string_agg(portolan.role_sql(g.grantee), ', ') as grantees
    from (
      select a.grantee, null::text as columns
      from pg_catalog.aclexplode(coalesce(v_class.relacl, pg_catalog.acldefault('r', v_class.relowner))) a
      where a.privilege_type = 'SELECT'
      union
      select a.grantee,
        pg_catalog.format('(%s, portolan_from, portolan_to)', pg_catalog.string_agg(pg_catalog.quote_ident(t.attname), ', '))
      from pg_catalog.pg_attribute t, pg_catalog.aclexplode(t.attacl) a
      where t.attrelid = relation and a.privilege_type = 'SELECT' and not t.attisdropped
      group by a.grantee) g
    group by g.columns
  loop
    perform portolan.grant_on(relation,
      pg_catalog.format('grant select %s on table %s to %s', v_row.columns, history, v_row.grantees));
  end loop;

  -- policies
  for v_row in select p.polname from pg_catalog.pg_policy p where p.polrelid = history loop
    execute pg_catalog.format('drop policy %I on %s', v_row.polname, history);
  end loop;
  execute pg_catalog.format('alter table %s %s row level security', history,
    case when v_class.relrowsecurity then 'enable' else 'disable' end);
  if v_class.relrowsecurity then
    v_above := case when v_class.relforcerowsecurity then 'false'
      else pg_catalog.format('(select pg_catalog.pg_has_role(%s::pg_catalog.oid, ''usage''))', v_class.relowner) end;
    execute pg_catalog.format('create policy portolan_owner on %s for select to public using (%s)', history, v_above);
    for v_row in
      select p.oid, p.polname, p.polpermissive,
        case
          when exists (select from portolan.policies_with_code(relation) c where c.policy = p.oid) then 'false'
          else coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'true')
        end as condition,
        (select pg_catalog.string_agg(portolan.role_sql(r.role), ', ') from pg_catalog.unnest(p.polroles) r (role)) as roles
      from pg_catalog.pg_policy p
      where p.polrelid = relation and p.polcmd in ('r', '*')
    loop
      -- the names of the types of its values, which an author could give to other types
      perform portolan.hold_type(d.refobjid, pg_catalog.format_type(d.refobjid, null))
      from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objid = v_row.oid
        and d.refclassid = 'pg_catalog.pg_type'::pg_catalog.regclass;
      perform portolan.mirror_policy(relation, history, v_row.polname, pg_catalog.format(
        'as %s for select to %s using (%s or (%s))', case when v_row.polpermissive then 'permissive' else 'restrictive' end,
        v_row.roles, v_above, v_row.condition));
    end loop;
  end if;
  perform portolan.make_as_of(relation, history);
  update portolan.versioned_tables v
  set mirrored = v_class.stamp
  where v.relation = mirror_rights.relation;
end
$$;
