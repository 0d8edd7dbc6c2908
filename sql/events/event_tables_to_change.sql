-- The tables whose triggers of events differ from what the settings say.
create or replace function portolan.event_tables_to_change(schemas text[], everything boolean)
  returns table (relation regclass, wanted boolean)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with tables as (
    select c.oid, t.active, t.members, c.relname, n.nspname,
      coalesce(
        case when n.nspname = any (schemas) then portolan.event_comment(c.oid) end,
        t.setting,
        everything and n.nspname = any (schemas) and c.relpersistence = 'p'
          and (c.relkind = 'p' or not exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)))
          and not exists (
            select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'),
        false) as wanted
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join portolan.event_tables t on t.relation = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition
      and (n.nspname = any (schemas) or t.relation is not null)
      and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan')
  )
  select t.oid::regclass, t.wanted
  from tables t
  where t.wanted <> coalesce(t.active, false)
    or t.wanted and (
      t.members <> portolan.event_members(t.oid)
      or exists (
        select from unnest(t.members) m (oid)
        where case when portolan.event_trigger_count(m.oid) < 4 then portolan.shard_kind(m.oid) is null end)
      or exists (
        select from unnest(t.members) m (oid)
        where not exists (
          select from portolan.shapes s where s.relation = m.oid and s.stamp = portolan.shape_stamp(m.oid))))
  order by t.nspname, t.relname
$$;
