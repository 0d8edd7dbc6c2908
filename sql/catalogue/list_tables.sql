-- The tables and views of a schema on which the caller has any right, by name, and these rights: by grants, where no rule
-- denies it and where PostgreSQL can write the relation at all. alter: the caller owns it, or is a member of the role that
-- does. Columns are those that the caller has a right to. `values`: the labels of an enum. `versioned_since`: since when its
-- history is kept. `workflow`: the caller's role in it, null without one. Keys and foreign keys are shown where the caller
-- has a right to their columns on both sides. Row level security decides row by row, not here. Security invoker, since
-- rights are the caller's.
create or replace function portolan.list_tables(schema_name text, table_name text default null)
  returns table (
    schema text, name text, kind text, description text, rights text[], key text[], columns jsonb, foreign_keys jsonb,
    versioned_since timestamptz, workflow text)
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- with many tables compiling takes longer than the answer
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  with relations as materialized (
    select c.oid, n.nspname, c.relname, c.relkind, c.relowner, pg_relation_is_updatable(c.oid, true) as writable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = list_tables.schema_name and c.relname = coalesce(list_tables.table_name, c.relname)
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and has_schema_privilege(n.oid, 'usage')
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), allowed as materialized (
    select r.*, array(
      select k.request
      from (values ('select', 0), ('insert', 8), ('update', 4), ('delete', 16)) k (request, bit)
      where (k.bit = 0 or r.writable & k.bit > 0)
        and case k.request
          when 'delete' then has_table_privilege(r.oid, 'delete')
          else has_any_column_privilege(r.oid, k.request)
        end
        and portolan.access(r.oid::regclass, k.request) <> 'deny'
    ) as rights
    from relations r
  )
  select
    a.nspname::text,
    a.relname::text,
    case a.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
    obj_description(a.oid, 'pg_class'),
    a.rights || case when pg_has_role(a.relowner, 'usage') then '{alter}'::text[] else '{}' end,
    case when c.names @> portolan.key_columns(a.oid)::name[] then portolan.key_columns(a.oid) else '{}' end,
    coalesce(c.columns, '[]'),
    coalesce(f.foreign_keys, '[]'),
    portolan.versioned_since(a.oid),
    case when portolan.has_workflow(a.oid)
      then ('{reader,author,reviewer,publisher}'::text[])[portolan.workflow_level(a.oid) + 1] end
  from allowed a
    left join lateral (
      select array_agg(t.attname) as names, jsonb_agg(jsonb_build_object(
        'name', t.attname,
        'type', format_type(t.atttypid, t.atttypmod),
        'nullable', not t.attnotnull,
        'has_default', t.atthasdef or t.attidentity <> '',
        'default', case
          when t.attidentity <> '' then
            format('generated %s as identity', case t.attidentity when 'a' then 'always' else 'by default' end)
          when t.attgenerated <> '' then (
            select format('generated always as (%s) stored', pg_get_expr(f.adbin, f.adrelid))
            from pg_attrdef f where f.adrelid = a.oid and f.adnum = t.attnum)
          else (select pg_get_expr(f.adbin, f.adrelid) from pg_attrdef f where f.adrelid = a.oid and f.adnum = t.attnum)
        end,
        'generated', t.attgenerated <> '' or t.attidentity = 'a',
        'description', col_description(a.oid, t.attnum),
        'values', (
          select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.atttypid),
        'rights', t.rights
      ) order by t.attnum) as columns
      from (
        select b.*, to_jsonb(array(
          select k.request
          from unnest(array_remove(a.rights, 'delete')) k (request)
          where has_column_privilege(a.oid, b.attnum, k.request)
            and (k.request = 'select' or b.attgenerated = '' and b.attidentity <> 'a')
            and (k.request = 'select' or a.relkind <> 'v' or pg_column_is_updatable(a.oid, b.attnum, true))
        )) as rights
        from pg_attribute b
        where b.attrelid = a.oid and b.attnum > 0 and not b.attisdropped
      ) t
      where t.rights <> '[]'
    ) c on true
    left join lateral (
      select jsonb_agg(jsonb_build_object(
        'columns', (
          select jsonb_agg(b.attname order by k.place)
          from unnest(o.conkey) with ordinality k (attnum, place)
            join pg_attribute b on b.attrelid = o.conrelid and b.attnum = k.attnum),
        'schema', n.nspname,
        'table', r.relname,
        'references', (
          select jsonb_agg(b.attname order by k.place)
          from unnest(o.confkey) with ordinality k (attnum, place)
            join pg_attribute b on b.attrelid = o.confrelid and b.attnum = k.attnum)
      ) order by o.conname) as foreign_keys
      from pg_constraint o
        join pg_class r on r.oid = o.confrelid
        join pg_namespace n on n.oid = r.relnamespace
      where o.conrelid = a.oid and o.contype = 'f' and o.conparentid = 0
        and c.names @> array(
          select b.attname from pg_attribute b where b.attrelid = o.conrelid and b.attnum = any (o.conkey))
        and has_schema_privilege(n.oid, 'usage')
        and (select bool_and(has_column_privilege(o.confrelid, k.attnum, 'select')) from unnest(o.confkey) k (attnum))
        and portolan.access(o.confrelid::regclass, 'select') <> 'deny'
    ) f on true
  where a.rights <> '{}'
  order by a.relname;
end
$$;
