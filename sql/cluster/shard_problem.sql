-- The reason why a rule cannot hold on shards, or null. Its policy runs on the nodes of Citus, which have none of
-- Portolan's tables and know only the role of a request.
create or replace function portolan.shard_problem(rule portolan.rules) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when rule.service <> '*' then format('it is for the service %s', rule.service)
    when rule.iprange <> '*' then format('it is for the addresses %s', rule.iprange)
    when rule.mfa then 'it asks for a second factor'
    when rule.username <> '*' and rule.username ~ '[*?]' then format('"%s" is a pattern of names', rule.username)
    when (
      select count(*) from portolan.users u
      where u.role = (select o.role from portolan.users o where o.name = rule.username)) > 1
    then format('several accounts have the role of "%s"', rule.username)
    when rule.filter is not null and cardinality((portolan.read_filter(rule.filter)).keys) > 0
    then 'its filter reads properties of the account'
  end
$$;
