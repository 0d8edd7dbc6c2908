-- The authors whose code a statement on a relation can run, and in which ways: the author's thing, after the thing that
-- leads there. `reads`: whether reading runs it too. Judged as code_reach does; no row where only code of PostgreSQL,
-- Portolan, extensions and trusted owners runs.
create or replace function portolan.code_owners(relation regclass) returns table (owner text, via text, reads boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  return query
  with recursive edges as materialized (
    select e.source_class, e.source, e.class, e.object from portolan.code_edges() e
  ), reached (class, object, is_read) as (
    select x.class, relation::oid, x.is_read
    from (values ('pg_class'::regclass::oid, true), (0::oid, false)) x (class, is_read)
    union
    select 'pg_proc'::regclass, p.oid, true
    from pg_class c join pg_proc p on p.proargtypes[0] = c.reltype and p.pronamespace = c.relnamespace
    where c.oid = relation and c.reltype <> 0
    union
    select e.class, e.object, r.is_read
    from reached r join edges e on e.source_class = r.class and e.source = r.object
  ), ways as (
    select s.owner, s.class, s.object, s.why, r.is_read, b.source_class, b.source
    from portolan.code_seeds() s
      join reached r on r.class = s.class and r.object = s.object
      left join lateral (
        select e.source_class, e.source
        from edges e join reached f on f.class = e.source_class and f.object = e.source and f.is_read = r.is_read
        where e.class = s.class and e.object = s.object
      ) b on not (s.class < 16 or s.class = 'pg_class'::regclass) or s.object <> relation
    where s.level = 'a'
  ), told as (
    select distinct w.owner, w.is_read, concat_ws(
      ': ',
      case
        when w.source = relation and (w.source_class < 16 or w.source_class = 'pg_class'::regclass) then null
        else portolan.code_label(w.source_class, w.source)
      end,
      coalesce(w.why, portolan.code_label(w.class, w.object))) as via
    from ways w
  )
  select case t.owner when 0 then 'public' else pg_get_userbyid(t.owner)::text end, t.via, bool_or(t.is_read)
  from told t
  group by 1, 2
  order by 1, 2;
end
$$;
