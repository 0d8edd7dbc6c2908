-- The caller's right to read a table, for a later check whether it still holds: the numbers of its columns (null: all),
-- and how the rows are chosen. Null where it may read nothing. For a view and a foreign table any change of a rule
-- counts, since the tables behind it are unknown. The claims of the caller's token count for views too, and where a policy
-- of the team chooses the rows, but not those that differ with each token. Security invoker: the answer is about the caller.
create or replace function portolan.reading_rights(relation oid) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'columns', case when not has_table_privilege(c.oid, 'select') then (
      select coalesce(jsonb_agg(a.attnum order by a.attnum), '[]')
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select')) end,
    'rows', case
      when c.relkind not in ('r', 'p', 'm') then jsonb_build_object(
        'account', (select to_jsonb(m) - '{email,service,ip,part,mfa}'::text[] from portolan.me m),
        'rules', (select g.generation from portolan.rule_generation g),
        'claims', portolan.claims() - k.of_tokens)
      when row_security_active(c.oid) then jsonb_build_object(
        'account', (select to_jsonb(m) - '{email,service,ip,part,mfa}'::text[] from portolan.me m),
        'rule', portolan.rule(c.oid, 'r'),
        'level', portolan.workflow_level(coalesce(pg_partition_root(c.oid), c.oid)),
        'policies', (
          select md5(string_agg(concat_ws(' ', p.polname, p.polroles, pg_get_expr(p.polqual, p.polrelid)), ',' order by p.polname))
          from pg_policy p where p.polrelid = c.oid and p.polcmd in ('r', '*')))
        || case when portolan.choosing_policy(c.oid) is null then '{}' else
          jsonb_build_object('claims', portolan.claims() - k.of_tokens) end
      end)
  from pg_class c
    cross join (values ('{iat,exp,nbf,jti,auth_time,sid,fam}'::text[])) k (of_tokens)
  where c.oid = relation
    and has_schema_privilege(c.relnamespace, 'usage') and has_any_column_privilege(c.oid, 'select')
    and portolan.access(c.oid::regclass, 'select') is distinct from 'deny'
$$;
