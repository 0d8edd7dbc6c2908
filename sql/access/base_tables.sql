-- The tables behind these relations: a table itself, and for a view the relations that its rules depend on, at any depth.
-- The gateway uses it to know whose changes make a kept result outdated.
create or replace function portolan.base_tables(relations oid[]) returns table (schema text, name text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive behind (oid) as (
    select unnest(relations)
    union
    select d.refobjid
    from behind b
      join pg_rewrite r on r.ev_class = b.oid
      join pg_depend d
        on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid <> b.oid
  )
  select n.nspname::text, c.relname::text
  from behind b join pg_class c on c.oid = b.oid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p')
$$;
