-- The name of the policy for the rules of a table and a command. It has the numbers of the rules with filters, because PostgreSQL
-- names the policy when somebody drops a column of a filter.
create or replace function portolan.rule_policy(relation regclass, command "char", word text) returns name
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select left('portolan_rules_' || coalesce(string_agg(distinct m.id::text, '_') || '_', ''), 55) || word
  from portolan.rule_map m
  where m.relation = rule_policy.relation and m.command = rule_policy.command and m.access = 'l'
$$;
