-- A fingerprint of each schema: it changes with every relation, column, constraint, index, trigger, function, type,
-- policy, comment and privilege in it. Called by the gateway to notice DDL; needs no privilege.
create or replace function portolan.catalogue(schemas text[]) returns table (schema text, fingerprint text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with relations as (
    select c.oid, c.xmin, c.relnamespace
    from pg_class c
    where c.relnamespace in (select n.oid from pg_namespace n where n.nspname = any (schemas))
      and c.relkind in ('r', 'v', 'm', 'f', 'p', 'c')
  ), parts as (
    select r.relnamespace as namespace, 'c' || r.oid || '.' || r.xmin as part from relations r
    union all
    select r.relnamespace, 'a' || a.attrelid || '.' || a.attnum || '.' || a.xmin
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0
    union all
    select r.relnamespace, 'k' || k.oid || '.' || k.xmin || '.' || coalesce(d.xmin::text, '')
    from relations r
      join pg_constraint k on k.conrelid = r.oid
      left join pg_description d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid
    union all
    select r.relnamespace, 'x' || i.indexrelid || '.' || i.xmin from relations r join pg_index i on i.indrelid = r.oid
    union all
    select r.relnamespace, 'g' || t.oid || '.' || t.xmin
    from relations r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select r.relnamespace, 'o' || o.oid || '.' || o.xmin from relations r join pg_policy o on o.polrelid = r.oid
    union all
    select r.relnamespace, 'd' || d.objoid || '.' || d.objsubid || '.' || d.xmin
    from relations r join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = r.oid
    union all
    select p.pronamespace, 'p' || p.oid || '.' || p.xmin || '.' || coalesce(d.xmin::text, '')
    from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = any (schemas)
      left join pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
    union all
    select t.typnamespace, 't' || t.oid || '.' || t.xmin || '.' || coalesce(
      (select string_agg(e.oid || '.' || e.xmin, ',' order by e.oid) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t join pg_namespace n on n.oid = t.typnamespace and n.nspname = any (schemas)
    where t.typtype in ('e', 'd', 'r')
    union all
    select t.typnamespace, 'e' || d.objoid || '.' || d.xmin
    from pg_description d
      join pg_type t on t.oid = d.objoid
      join pg_namespace n on n.oid = t.typnamespace and n.nspname = any (schemas)
    where d.classoid = 'pg_type'::regclass
    union all
    select n.oid, 'n' || d.xmin
    from pg_namespace n join pg_description d on d.classoid = 'pg_namespace'::regclass and d.objoid = n.oid
    where n.nspname = any (schemas)
    union all
    -- a history that was begun in portions is there from when the last one is done
    select n.oid, 'h' || v.name || '.' || v.since
    from portolan.versioned_relations() v join pg_namespace n on n.nspname = v.schema
    where v.schema = any (schemas)
  )
  select n.nspname::text, md5(n.xmin || coalesce(string_agg(p.part, '|' order by p.part collate "C"), ''))
  from pg_namespace n left join parts p on p.namespace = n.oid
  where n.nspname = any (schemas)
  group by n.oid, n.nspname, n.xmin
$$;

comment on function portolan.catalogue(text[]) is 'A fingerprint of each schema, which changes with every DDL in it.';
