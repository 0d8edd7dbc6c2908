-- The present rights of roles to select from tables: one row for each pair, in order. columns: the numbers of the
-- columns, empty when nothing may be selected, null when the table or the role no longer exists. The gateway calls it
-- for many subscribers at once.
create or replace function portolan.event_rights(roles text[], tables oid[]) returns table (columns smallint[], version text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select
    case when c.relnamespace is not null and r.oid is not null then array(
      select a.attnum
      from pg_catalog.pg_attribute a
      where a.attrelid = p.relation and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
        and pg_catalog.has_column_privilege(r.oid, p.relation, a.attnum, 'select')
      order by a.attnum)
    end,
    v.version
  from unnest(roles, tables) with ordinality p (role, relation, place)
    left join pg_catalog.pg_roles r on r.rolname = p.role
    -- Citus hides shards by a condition on every query of pg_class, which must not take the pair away
    left join lateral (select k.relnamespace from pg_catalog.pg_class k where k.oid = p.relation offset 0) c on true
    left join (
      select t.relation, portolan.event_version(t.relation) as version
      from (select distinct relation from unnest(tables) u (relation)) t
    ) v on v.relation = p.relation
  order by p.place
$$;
