-- Decides whose code a statement can run, for everything that it may name: `r` relations, `f` functions (a direct call), `t`
-- types that are not listed unless somebody has added something to them. Levels: n where only code of PostgreSQL, Portolan
-- and extensions runs, t where that of trusted owners runs too, a where an author's may run, or where that is unknown.
-- `plain`: reading columns. `reads`: also functions of the row in the same schema, which GraphQL shows as fields. `writes`:
-- INSERT, UPDATE and DELETE, with reading. `reader` and `writer`: the first author, by name, whose code reading and writing
-- runs. The gateway calls it, again whenever code_stamp has changed.
create or replace function portolan.code_reach() returns table (
  kind "char", object oid, plain "char", reads "char", writes "char", reader text, writer text
)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  return query
  with recursive edges as materialized (
    select e.source_class, e.source, e.class, e.object from portolan.code_edges() e
  ), seeds as materialized (
    select s.class, s.object, s.level, s.owner from portolan.code_seeds() s
  ), authors (class, object, owner) as (
    select s.class, s.object, s.owner from seeds s where s.level = 'a'
    union
    select e.source_class, e.source, a.owner from authors a join edges e on e.class = a.class and e.object = a.object
  ), trusted (class, object) as (
    select s.class, s.object from seeds s where s.level = 't'
    union
    select e.source_class, e.source from trusted t join edges e on e.class = t.class and e.object = t.object
  ), levels as materialized (
    select x.class, x.object, max(x.level) as level, min(x.owner) as owner
    from (
      -- the letters are in this order except for a
      select a.class, a.object, 3 as level, case a.owner when 0 then 'public' else pg_get_userbyid(a.owner)::text end as owner
      from authors a
      union all
      select t.class, t.object, 2, null from trusted t
    ) x
    group by x.class, x.object
  ), fields as materialized (
    select c.oid as relation, max(l.level) as level, min(l.owner) as owner
    from pg_proc p
      join pg_class c on c.reltype = p.proargtypes[0] and c.relnamespace = p.pronamespace
      join levels l on l.class = 'pg_proc'::regclass and l.object = p.oid
    where p.pronargs > 0 and p.proargtypes[0] >= 16384
    group by c.oid
  ), told as (
    select 'r'::"char" as kind, c.oid as object, coalesce(p.level, 1) as plain, greatest(p.level, f.level, 1) as reads,
      greatest(p.level, f.level, w.level, 1) as writes,
      least(p.owner, f.owner) as reader, least(p.owner, f.owner, w.owner) as writer
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join levels p on p.class = 'pg_class'::regclass and p.object = c.oid
      left join levels w on w.class = 0 and w.object = c.oid
      left join fields f on f.relation = c.oid
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.oid >= 16384 and n.nspname !~ '^pg_' and n.nspname <> 'portolan'
    union all
    select 'f', p.oid, greatest(l.level, f.level, 1), greatest(l.level, f.level, 1), greatest(l.level, f.level, 1),
      least(l.owner, f.owner), least(l.owner, f.owner)
    from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      left join levels l on l.class = 'pg_proc'::regclass and l.object = p.oid
      left join pg_type t on t.oid = p.prorettype and t.typrelid <> 0
      left join fields f on f.relation = t.typrelid
    where p.oid >= 16384 and n.nspname !~ '^pg_' and n.nspname <> 'portolan'
    union all
    select 't', l.object, l.level, l.level, l.level, l.owner, l.owner
    from levels l
    where l.class = 'pg_type'::regclass
  )
  select t.kind, t.object, ('{n,t,a}'::"char"[])[t.plain], ('{n,t,a}'::"char"[])[t.reads], ('{n,t,a}'::"char"[])[t.writes],
    t.reader, t.writer
  from told t;
end
$$;
