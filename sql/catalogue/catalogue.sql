-- A fingerprint of each schema: it changes with every relation, column, constraint, index, trigger, function, type, policy,
-- comment and privilege in it. The gateway calls it to notice DDL; it needs no privilege.
create or replace function portolan.catalogue(schemas text[]) returns table (schema text, fingerprint text)
  language plpgsql stable -- not sql, which would plan it at each call: it is called all the time
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_schemas oid[] := array(select n.oid from pg_namespace n where n.nspname = any (schemas));
  -- numbers, so that indexes find the rows of each: the catalogue as a whole is not read
  v_relations oid[] := array(
    select c.oid from pg_class c where c.relnamespace = any (v_schemas) and c.relkind in ('r', 'v', 'm', 'f', 'p', 'c'));
begin
  return query
  with parts as (
    select c.relnamespace as namespace, 'c' || c.oid || '.' || c.xmin as part from pg_class c where c.oid = any (v_relations)
    union all
    select c.relnamespace, 'a' || a.attrelid || '.' || a.attnum || '.' || a.xmin
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid = any (v_relations) and a.attnum > 0
    union all
    select k.connamespace, 'k' || k.oid || '.' || k.xmin || '.' || coalesce(
      (select d.xmin::text from pg_description d where d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass), '')
    from pg_constraint k
    where k.conrelid = any (v_relations)
    union all
    select c.relnamespace, 'x' || i.indexrelid || '.' || i.xmin
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indrelid = any (v_relations)
    union all
    select c.relnamespace, 'g' || t.oid || '.' || t.xmin
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgrelid = any (v_relations) and not t.tgisinternal
    union all
    select c.relnamespace, 'o' || o.oid || '.' || o.xmin
    from pg_policy o join pg_class c on c.oid = o.polrelid
    where o.polrelid = any (v_relations)
    union all
    select c.relnamespace, 'd' || d.objoid || '.' || d.objsubid || '.' || d.xmin
    from pg_description d join pg_class c on c.oid = d.objoid
    where d.objoid = any (v_relations) and d.classoid = 'pg_class'::regclass
    union all
    select p.pronamespace, 'p' || p.oid || '.' || p.xmin || '.' || coalesce(
      (select d.xmin::text from pg_description d where d.objoid = p.oid and d.classoid = 'pg_proc'::regclass), '')
    from pg_proc p
    where p.pronamespace = any (v_schemas)
    union all
    select t.typnamespace, 't' || t.oid || '.' || t.xmin || '.' || coalesce(
      (select string_agg(e.oid || '.' || e.xmin, ',' order by e.oid) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t
    where t.typnamespace = any (v_schemas) and t.typtype in ('e', 'd', 'r')
    union all
    select t.typnamespace, 'e' || d.objoid || '.' || d.xmin
    from pg_type t join pg_description d on d.objoid = t.oid and d.classoid = 'pg_type'::regclass
    where t.typnamespace = any (v_schemas)
    union all
    select d.objoid, 'n' || d.xmin
    from pg_description d
    where d.objoid = any (v_schemas) and d.classoid = 'pg_namespace'::regclass
    union all
    -- a history that was begun in portions counts when the last portion is done
    select n.oid, 'h' || v.name || '.' || v.since
    from portolan.versioned_relations() v join pg_namespace n on n.nspname = v.schema
    where v.schema = any (schemas)
  )
  select n.nspname::text, md5(n.xmin || coalesce(string_agg(p.part, '|' order by p.part collate "C"), ''))
  from pg_namespace n left join parts p on p.namespace = n.oid
  where n.oid = any (v_schemas)
  group by n.oid, n.nspname, n.xmin;
end
$$;
