-- The code of a role that is no core owner that PostgreSQL runs already when it plans a statement that reads a table or one
-- of its partitions, as text; null for none: expressions and conditions of indexes, of statistics and of partition
-- keys. Functions that run with the owner's rights do not read such a table.
create or replace function portolan.planned_code(relation regclass) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
declare
  v_members oid[] := portolan.event_members(relation);
begin
  return (
    select format('%s calls %s, which is %s''s', pg_describe_object(w.catalogue, w.object, 0),
      pg_describe_object(d.refclassid, d.refobjid, 0), pg_get_userbyid(r.owner))
    from (
        select 'pg_class'::regclass as catalogue, i.indexrelid as object
        from pg_index i
        where i.indrelid = any (v_members) and (i.indexprs is not null or i.indpred is not null)
        union all
        select 'pg_statistic_ext'::regclass, s.oid
        from pg_statistic_ext s
        where s.stxrelid = any (v_members)
        union all
        select 'pg_class'::regclass, p.partrelid
        from pg_partitioned_table p
        where p.partrelid = any (v_members)
      ) w
      join pg_depend d on d.classid = w.catalogue and d.objid = w.object and d.objsubid = 0
      cross join lateral (
        select p.proowner as owner from pg_proc p where d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
        union all
        select p.proowner from pg_operator o join pg_proc p on p.oid in (o.oprcode, o.oprrest, o.oprjoin)
        where d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
        union all
        select t.typowner from pg_type t
        where d.refclassid = 'pg_type'::regclass and t.oid in (
          select a.oid from portolan.author_types(d.refobjid) a where a.kind <> 'e')
      ) r
    where not portolan.is_core_owner(r.owner)
    limit 1);
end
$$;
