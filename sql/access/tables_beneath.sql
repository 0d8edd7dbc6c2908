-- The tables that a view reads, itself or through other views. For a rule that names a view, and for doctor.
create or replace function portolan.tables_beneath(view oid) returns table (relation regclass)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive beneath (oid) as (
    select tables_beneath.view
    union
    select d.refobjid
    from beneath b
      join pg_rewrite r on r.ev_class = b.oid
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
  )
  select c.oid::regclass from beneath b join pg_class c on c.oid = b.oid where c.relkind in ('r', 'p', 'f')
$$;
