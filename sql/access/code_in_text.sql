-- The code that functions of trusted owners with SQL stored as text may run: everything that has one of their words as its
-- name, in any schema except those where others may create, since a body that names such a schema counts as unread; and all
-- operators that somebody has added. A word that is a column's name counts as a call too.
create or replace function portolan.code_in_text() returns table (function oid, class oid, object oid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  if not portolan.has_authors() then
    return; -- then nothing can be anybody else's
  end if;
  return query
  with trusted as materialized (
    select t.role from portolan.trusted_roles() t (role)
  ), unread as materialized (
    select u.function from portolan.unread_functions() u
    union all
    select t.function from portolan.trusted_functions() t where t.function is not null
    union all
    select t.object from portolan.tame_objects() t where t.class = 'pg_proc'::regclass
  ), bodies as materialized (
    select p.oid, p.provolatile, p.prosrc
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.oid >= 16384 and l.lanname = 'sql' and p.prosqlbody is null and p.pronamespace <> 'portolan'::regnamespace
      and p.proowner in (select t.role from trusted t) and p.oid not in (select u.function from unread u)
  ), schemas as materialized (
    select n.oid
    from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan')
      and n.oid not in (select s.schema from portolan.authors_schemas() s (schema))
  ), things as materialized (
    select 'pg_class'::regclass::oid as class, c.oid, c.relname::text as name
    from pg_class c join schemas s on s.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select 'pg_proc'::regclass, p.oid, p.proname::text from pg_proc p join schemas s on s.oid = p.pronamespace where p.oid >= 16384
    union all
    select 'pg_type'::regclass, t.oid, t.typname::text from pg_type t join schemas s on s.oid = t.typnamespace where t.oid >= 16384
    except
    select t.class, t.object, x.name
    from portolan.tame_objects() t
      cross join lateral (
        select p.proname::text as name from pg_proc p where t.class = 'pg_proc'::regclass and p.oid = t.object
        union all
        select y.typname::text from pg_type y where t.class = 'pg_type'::regclass and y.oid = t.object
        union all
        select c.relname::text from pg_class c where t.class = 'pg_class'::regclass and c.oid = t.object) x
  )
  select b.oid, case when t.class = 'pg_class'::regclass and b.provolatile = 'v' then 0::oid else t.class end, t.oid
  from bodies b cross join portolan.words_of(b.prosrc) w (word) join things t on t.name = w.word
  union all
  select b.oid, 'pg_operator'::regclass, o.oid
  from bodies b cross join pg_operator o
  where o.oid >= 16384 and o.oprnamespace in (select s.oid from schemas s)
    and not exists (
      select from portolan.tame_objects() t where t.class = 'pg_operator'::regclass and t.object = o.oid);
end
$$;
