-- The reason why an account can leave a rule on the shards of a table, or null. In its own SQL an account may act as each of its
-- groups, and a shard knows only the role as which it acts. So the reason is a group that the rule does not name, that has
-- rights on the table, and to which somebody belongs whom the rule names.
create or replace function portolan.shed_rule(rule portolan.rules, relation regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive named (role, name) as (
    select r.oid, u.name
    from portolan.users u join pg_roles r on r.rolname = u.role
    where rule.access <> 'allow' and rule.username not in ('*', 'anonymous')
      and u.name like portolan.like_pattern(rule.username) and u.name <> 'anonymous'
    union
    select m.member, u.name
    from named n
      join pg_auth_members m on m.roleid = n.role
      join portolan.users u on u.role = pg_get_userbyid(m.member)
  )
  select format('"%s" can act as its group %s in its own SQL: write the rule for that group', n.name, g.name)
  from named n
    join pg_auth_members m on m.member = n.role
    join portolan.users g on g.role = pg_get_userbyid(m.roleid)
  where g.name <> 'anonymous' and not exists (select from named o where o.role = m.roleid)
    and (has_table_privilege(m.roleid, shed_rule.relation, 'select, insert, update, delete')
      or has_any_column_privilege(m.roleid, shed_rule.relation, 'select, insert, update'))
  order by n.name, g.name
  limit 1
$$;

drop function if exists portolan.shed_rule(portolan.rules);
