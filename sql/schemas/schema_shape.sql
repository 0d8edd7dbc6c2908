-- The members that change_schema may change of a table, view (catalogue: pg_class) or enum (pg_type), member by member, each
-- in the words of SQL or PostgreSQL. For the audit, which records the members that changed. Null where there is no such
-- object.
create or replace function portolan.schema_shape(catalogue regclass, object oid) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with members (member, value) as (
    select 'name', c.oid::regclass::text from pg_class c where c.oid = object and catalogue = 'pg_class'::regclass
    union all
    select 'column ' || quote_ident(a.attname),
      format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' identity' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    from pg_attribute a left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where a.attrelid = object and catalogue = 'pg_class'::regclass and a.attnum > 0 and not a.attisdropped
    union all
    select 'constraint ' || quote_ident(c.conname), pg_get_constraintdef(c.oid)
    from pg_constraint c
    where c.conrelid = object and catalogue = 'pg_class'::regclass and c.contype in ('p', 'u', 'f', 'c', 'x')
    union all
    select 'index ' || quote_ident(x.relname),
      -- without the name of the table, which may change by itself
      case when i.indisunique then 'unique ' else '' end || substring(pg_get_indexdef(x.oid) from ' USING (.*)$')
    from pg_index i join pg_class x on x.oid = i.indexrelid
    where i.indrelid = object and catalogue = 'pg_class'::regclass
      and not exists (select from pg_constraint c where c.conindid = x.oid and c.conrelid = object)
    union all
    select 'name', t.oid::regtype::text from pg_type t where t.oid = object and catalogue = 'pg_type'::regclass
    union all
    select 'value ' || quote_literal(e.enumlabel), row_number() over (order by e.enumsortorder)::text
    from pg_enum e
    where e.enumtypid = object and catalogue = 'pg_type'::regclass
    union all
    select concat_ws(' of column ', 'comment', (
        select quote_ident(a.attname) from pg_attribute a where (a.attrelid, a.attnum) = (object, d.objsubid) and a.attnum > 0)),
      d.description
    from pg_description d
    where d.objoid = object and d.classoid = catalogue
  )
  select jsonb_object_agg(m.member, m.value) from members m
$$;
