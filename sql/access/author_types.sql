-- The types, this type included, that a type is made of and that may run the code of a role that is no core owner: those that
-- such a role owns, and ranges and domains of others that call a function of such a role. An array counts by its elements. kind: as
-- typtype; an enum runs nothing itself, but its owner may make casts of it.
create or replace function portolan.author_types(type oid) returns table (oid oid, kind "char")
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
#variable_conflict use_column
begin
  return query
  with recursive parts as (
    select t.oid, t.typtype, t.typowner, t.typcategory, t.typelem, t.typbasetype, t.typrelid
    from pg_type t
    where t.oid = author_types.type
    union
    select t.oid, t.typtype, t.typowner, t.typcategory, t.typelem, t.typbasetype, t.typrelid
    from parts w
      cross join lateral (
        select w.typelem as oid where w.typelem <> 0
        union all
        select w.typbasetype where w.typtype = 'd'
        union all
        select r.rngsubtype from pg_range r where r.rngtypid = w.oid
        union all
        select r.rngtypid from pg_range r where r.rngmultitypid = w.oid
        union all
        select a.atttypid from pg_attribute a
        where w.typtype = 'c' and a.attrelid = w.typrelid and a.attnum > 0 and not a.attisdropped
      ) p
      join pg_type t on t.oid = p.oid
  )
  select t.oid, t.typtype
  from parts t
  where not (t.typcategory = 'A' and t.typelem <> 0) and exists (
    -- one search for each of these types: apart, PostgreSQL would first read the ranges and checks of all types
    select from (
      select t.typowner as owner
      union all
      select p.proowner
      from pg_range r join pg_proc p on p.oid in (r.rngcanonical, r.rngsubdiff)
      where r.rngtypid = t.oid
      union all
      select p.proowner
      from pg_constraint c
        join pg_depend d on d.classid = 'pg_constraint'::regclass and d.objid = c.oid
          and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass)
        left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
        join pg_proc p on p.oid = coalesce(o.oprcode::oid, d.refobjid)
      where c.contypid = t.oid
    ) o
    where not portolan.is_core_owner(o.owner));
end
$$;
