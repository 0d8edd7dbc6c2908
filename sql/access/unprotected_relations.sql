-- The tables whose policies differ from what rules and workflow need. changed: they were changed since they were made;
-- otherwise there was a problem then.
create or replace function portolan.unprotected_relations() returns table (relation regclass, changed boolean)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select t.relation, d.changed
  from (
      select m.relation from portolan.rule_map m
      union
      select s.relation from portolan.row_security s
      union
      select m.oid::regclass from portolan.workflow_tables w, unnest(portolan.event_members(w.relation)) m (oid)
    ) t
    join pg_class c on c.oid = t.relation
    left join portolan.row_security s on s.relation = t.relation,
    lateral (
      select portolan.wanted_protection(t.relation) <> coalesce(s.wanted, '')
        or coalesce(s.made <> portolan.made_protection(t.relation), false) as changed
      offset 0
    ) d
  where d.changed or s.problem is not null
  order by t.relation::oid
$$;
