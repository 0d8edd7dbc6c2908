-- The facts that the gateway needs about rasters and of tables and views with a geometry or geography column: columns, key,
-- comments, and every type that the columns are made of. Of those without one too where their comment says `@ogc`, or where
-- `plain` is true. Also the functions whose comment says `@ogc`, with their parameters and the columns of their rows. A
-- partition counts as part of its table, unless that table is not exposed. The same for the exposed tables that foreign keys
-- join with these, and the foreign keys. The gateway calls it at start and after DDL; it needs no privilege on the
-- relations.
create or replace function portolan.collections(schemas text[], plain boolean default false) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive postgis as (
    select e.extnamespace as namespace from pg_extension e where e.extname = 'postgis'
  ), spatial as (
    select t.oid
    from pg_type t join postgis p on p.namespace = t.typnamespace
    where t.typname in ('geometry', 'geography')
    union
    select d.oid from spatial s join pg_type d on d.typbasetype = s.oid
  ), own as (
    select c.oid, n.nspname, c.relname, c.relkind, c.relnamespace, c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas)
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (
        exists (
          select from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid in (select oid from spatial))
        or exists (select from portolan.rasters f where f.relation = c.oid)
        or plain
        or obj_description(c.oid, 'pg_class') ~ '(^|\n)[ \t]*@ogc([ \t\n\r]|$)')
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      and not (c.relispartition and exists (
        select from pg_class r join pg_namespace rn on rn.oid = r.relnamespace
        where r.oid = pg_partition_root(c.oid) and rn.nspname = any (schemas)))
  ), foreign_keys as (
    select k.conrelid, k.confrelid, k.conkey, k.confkey
    from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0
      and (k.conrelid in (select oid from own) or k.confrelid in (select oid from own))
  ), relations as (
    select * from own
    union
    select c.oid, n.nspname, c.relname, c.relkind, c.relnamespace, c.relrowsecurity
    from foreign_keys k
      join pg_class c on c.oid in (k.conrelid, k.confrelid)
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas)
  ), routines as (
    -- by the comments: looking up the comment of each function of PostgreSQL and PostGIS took half of the whole time
    select p.*, n.nspname, t.typrelid, d.description as comment
    from pg_description d
      join pg_proc p on p.oid = d.objoid
      join pg_namespace n on n.oid = p.pronamespace
      join pg_type t on t.oid = p.prorettype
    where d.classoid = 'pg_proc'::regclass and d.objsubid = 0 and n.nspname = any (schemas)
      and d.description ~ '(^|\n)[ \t]*@ogc([ \t\n\r]|$)'
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), arguments as (
    select p.oid, a.type, a.name, coalesce(a.mode, 'i') as mode, a.number
    from routines p cross join lateral
      unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes) with ordinality a (type, name, mode, number)
  ), results as (
    select p.oid, a.attnum::int as number, a.attname::text as name, a.atttypid as type, a.atttypmod as modifier, d.description as comment
    from routines p join pg_attribute a on a.attrelid = p.typrelid and a.attnum > 0 and not a.attisdropped
      left join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = a.attrelid and d.objsubid = a.attnum
    where p.typrelid <> 0
    union all
    select a.oid, row_number() over (partition by a.oid order by a.number)::int, a.name, a.type, -1, null
    from arguments a join routines p on p.oid = a.oid
    where p.typrelid = 0 and a.mode in ('o', 'b', 't') and a.name <> ''
  )
  select jsonb_build_object(
    'postgis', (select n.nspname from postgis p join pg_namespace n on n.oid = p.namespace),
    'unaccent', (
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'unaccent'),
    'trigrams', (
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
    'sharded', portolan.has_citus(),
    'schemas', coalesce((
      select jsonb_object_agg(n.nspname, obj_description(n.oid, 'pg_namespace'))
      from pg_namespace n
      where n.nspname = any (schemas) and obj_description(n.oid, 'pg_namespace') is not null), '{}'),
    'foreignKeys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'from', k.conrelid::int8, 'columns', k.conkey, 'to', k.confrelid::int8, 'key', k.confkey))
      from foreign_keys k), '[]'),
    'types', (
      select coalesce(jsonb_object_agg(y.oid, to_jsonb(y) || jsonb_build_object(
        'oid', y.oid::bigint, 'element', y.element::bigint,
        'modifier', (select t.typtypmod from pg_type t where t.oid = y.oid))), '{}')
      from portolan.type_catalogue(array(
        select a.atttypid from relations r join pg_attribute a on a.attrelid = r.oid
        where a.attnum > 0 and not a.attisdropped
        union
        select type from arguments
        union
        select type from results)) y),
    'routines', coalesce((
      select jsonb_agg(jsonb_build_object(
        'oid', p.oid::int8,
        'schema', p.nspname,
        'name', p.proname,
        'kind', p.prokind,
        'isSet', p.proretset,
        'isVolatile', p.provolatile = 'v',
        'isVariadic', p.provariadic <> 0,
        'isPolymorphic', exists (
          select from arguments a join pg_type t on t.oid = a.type where a.oid = p.oid and t.typtype = 'p'),
        'overloads', (select count(*) from pg_proc o where o.pronamespace = p.pronamespace and o.proname = p.proname),
        'comment', p.comment,
        'parameters', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'name', nullif(a.name, ''),
            'type', a.type::int8,
            'isRequired', a.place <= p.pronargs - p.pronargdefaults) order by a.place), '[]')
          from (
            select i.*, row_number() over (order by i.number) as place
            from arguments i where i.oid = p.oid and i.mode in ('i', 'b', 'v')) a),
        'columns', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'number', c.number,
            'name', c.name,
            'type', c.type::int8,
            'modifier', c.modifier,
            'spatial', c.type in (select oid from spatial),
            'notNull', false,
            'readOnly', true,
            'hasDefault', false,
            'references', null,
            'comment', c.comment) order by c.number), '[]')
          from results c where c.oid = p.oid)) order by p.nspname collate "C", p.proname collate "C", p.oid)
      from routines p), '[]'),
    'relations', coalesce((
      select jsonb_agg(jsonb_build_object(
        'oid', r.oid::int8,
        'schema', r.nspname,
        'name', r.relname,
        'kind', r.relkind,
        'rowSecurity', r.relrowsecurity,
        'comment', obj_description(r.oid, 'pg_class'),
        'raster', (select f.file from portolan.rasters f where f.relation = r.oid),
        'styles', coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', s.name, 'title', s.title, 'isDefault', s.is_default, 'style', s.style::text) order by s.name collate "C")
          from portolan.styles s where s.relation = r.oid), '[]'),
        'key', coalesce((
          select to_jsonb(k.conkey) from pg_constraint k where k.conrelid = r.oid and k.contype = 'p'), '[]'),
        'columns', (
          select jsonb_agg(jsonb_build_object(
            'number', a.attnum,
            'name', a.attname,
            'type', a.atttypid::int8,
            'modifier', a.atttypmod,
            'spatial', a.atttypid in (select oid from spatial),
            'notNull', a.attnotnull,
            -- columns of workflow and history are called portolan_…
            'readOnly', a.attgenerated <> '' or a.attidentity = 'a' or r.relkind = 'm' or starts_with(a.attname, 'portolan_'),
            'hasDefault', a.atthasdef or a.attidentity <> ''
              or (select t.typdefault is not null from pg_type t where t.oid = a.atttypid),
            'references', (
              select jsonb_agg(jsonb_build_object('relation', k.confrelid::int8, 'column', k.confkey[1]) order by k.conname)
              from pg_constraint k
              where k.conrelid = r.oid and k.contype = 'f' and k.conkey = array[a.attnum]),
            -- col_description would be planned again for each column
            'comment', (
              select d.description from pg_description d
              where d.classoid = 'pg_class'::regclass and d.objoid = r.oid and d.objsubid = a.attnum)) order by a.attnum)
          from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped))
        order by r.nspname collate "C", r.relname collate "C")
      from relations r), '[]'))
$$;
