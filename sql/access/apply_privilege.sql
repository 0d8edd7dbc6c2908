-- Writes a privilege as PostgreSQL grants. TRUNCATE (it ignores row security), REFERENCES and TRIGGER are never
-- granted. Grants on single columns stay, except with none. Raises PX409 where the table has no room for another grant.
create or replace function portolan.apply_privilege(relation regclass, role text, privilege text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_following text := current_setting('portolan.following', true);
  v_schema text;
  v_columns jsonb;
  v_statement text;
  v_sequence regclass;
  v_writes boolean := privilege in ('write', 'all');
begin
  perform set_config('portolan.following', 'on', true); -- the caller refreshes the history's rights
  perform portolan.hold_definitions(array[relation::oid]);
  select n.nspname into v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  select jsonb_object_agg(p."column", p.privileges) into v_columns
  from portolan.column_privileges_of(relation) p join portolan.users u on u.name = p.subuser
  where u.role = apply_privilege.role and privilege <> 'none';
  perform portolan.run_grant(format('revoke all on table %s from %I', relation, role));
  if privilege <> 'none' then
    perform portolan.run_grant(format('grant usage on schema %I to %I', v_schema, role));
    perform portolan.grant_on(relation, format('grant select%s on table %s to %I',
      case when v_writes then ', insert, update, delete' else '' end, relation, role));
    for v_statement in select portolan.column_grants(relation, role, coalesce(v_columns, '{}')) loop
      perform portolan.grant_on(relation, v_statement);
    end loop;
  end if;
  for v_sequence in
    select d.objid::regclass
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.refobjid = relation and d.deptype in ('a', 'i')
  loop
    perform portolan.grant_on(relation, format(
      case when v_writes then 'grant usage on sequence %s to %I' else 'revoke all on sequence %s from %I' end,
      v_sequence, role));
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
