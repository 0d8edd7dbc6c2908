-- The facts that the gateway needs about types to read and write their values: these types and all that they are made of.
-- int2vector and oidvector, which have elements and arrays of their own, are not arrays here, because their text is not that
-- of an array. kind: b base, e enum, c composite, d domain, a array, r range, m multirange, p pseudo.
create or replace function portolan.type_catalogue(types oid[]) returns table (
  oid oid,
  schema text,
  name text,
  kind text,
  -- array: its elements; domain: its base; range: its bounds; multirange: its range
  element oid,
  labels text[],
  attributes jsonb,
  delimiter text
)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive wanted (oid) as (
    select unnest(types)
    union
    select p.part
    from wanted w
      join pg_type t on t.oid = w.oid
      cross join lateral (
        select t.typelem as part where t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0
        union all
        select t.typbasetype where t.typtype = 'd'
        union all
        select r.rngsubtype from pg_range r where r.rngtypid = t.oid
        union all
        select r.rngtypid from pg_range r where r.rngmultitypid = t.oid
        union all
        select a.atttypid from pg_attribute a
        where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      ) p
  )
  select
    t.oid, n.nspname::text, t.typname::text,
    case when t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0 then 'a' else t.typtype::text end,
    case
      when t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0 then t.typelem
      when t.typtype = 'd' then t.typbasetype
      when t.typtype = 'r' then (select r.rngsubtype from pg_range r where r.rngtypid = t.oid)
      when t.typtype = 'm' then (select r.rngtypid from pg_range r where r.rngmultitypid = t.oid)
    end,
    case when t.typtype = 'e' then
      array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) end,
    case when t.typtype = 'c' then (
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', a.atttypid::bigint) order by a.attnum)
      from pg_attribute a
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) end,
    t.typdelim::text
  from wanted w join pg_type t on t.oid = w.oid join pg_namespace n on n.oid = t.typnamespace
$$;
