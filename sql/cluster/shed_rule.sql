-- The reason why an account can leave a rule on shards, or null. In its own SQL an account may act as each of its groups, and
-- a shard knows only the role as which it acts.
create or replace function portolan.shed_rule(rule portolan.rules) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format('"%s" can act as its group %s in its own SQL: write the rule for that group', rule.username, g.groups[1])
  from portolan.groups_of(rule.username) g (groups)
  where rule.access <> 'allow' and cardinality(g.groups) > 0
$$;
