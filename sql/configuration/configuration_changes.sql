-- The changes that applying a configuration would make: for each thing its present and its new state, in the order in which
-- they are applied. A thing that the configuration does not name stays; with prune it is removed, if its kind is named at
-- all. Members of an account, client, rule, method, map, query, dashboard or view that are not named stay too.
create or replace function portolan.configuration_changes(configuration jsonb, prune boolean default false)
  returns table (kind text, name text, member text, action text, before jsonb, after jsonb)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as configuration
as $$
  with recursive changes as (
    select kind, name, member, n.value as before,
      case when jsonb_typeof(w.value) = 'object' and n.value is not null and member = '' then n.value || w.value else w.value end
        as after
    from portolan.configuration_entries(portolan.configuration()) n
      full join portolan.configuration_entries(configuration) w using (kind, name, member)
    where w.value is not null
      or prune
        and not (kind = 'clients' and portolan.is_built_in_client(name))
        and configuration ? case when kind in ('privileges', 'column_privileges', 'workflow_roles', 'styles') then 'tables' else kind end
  ), memberships (member, in_group) as materialized (
    select c.name, g.name
    from changes c, unnest(portolan.group_list(c.after -> 'user_group')) g (name)
    where c.kind = 'accounts'
  ), levels (name, level) as (
    select distinct m.member, 1 from memberships m
    union
    select m.member, l.level + 1 from levels l join memberships m on m.in_group = l.name where l.level < 100
  )
  select c.kind, c.name, c.member,
    case when c.before is null then 'create' when c.after is null then 'remove' else 'change' end,
    c.before, c.after
  from changes c
    left join (select l.name, max(l.level) as level from levels l group by 1) l on c.kind = 'accounts' and l.name = c.name
  where c.before is distinct from c.after
    -- settings that equal their default
    and not (c.before is null and (
      c.after in ('null', 'false', '"Read/write"', '"none"') or c.kind = 'column_privileges' and c.after = '{}'))
  order by
    c.after is null desc,
    array_position(
        '{accounts,clients,rasters,tables,styles,privileges,column_privileges,workflow_roles,methods}'::text[]
          || array(select k.relation::text from portolan.saved_kinds() k) || 'rules'::text,
        c.kind)
      * case when c.after is null then -1 else 1 end,
    -- a group before its members
    l.level nulls first,
    c.name collate "C", c.member collate "C"
$$;
