-- The reason why a rule cannot hold on shards, or null. Its policy runs on the nodes of Citus, which have none of Portolan's
-- tables. Citus connects to them as the account. Of the request they learn only what `set local` tells them under
-- citus.propagate_set_commands, and an account can set the same in its own SQL.
create or replace function portolan.shard_problem(rule portolan.rules) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when concat(rule.service, rule.iprange) <> '**' or rule.mfa
    then format('%s, and a shard learns of a request only by settings, which SQL of the account can change', case
      when rule.service <> '*' then format('it is for the service %s', rule.service)
      when rule.iprange <> '*' then format('it is for the addresses %s', rule.iprange)
      else 'it asks for a second factor'
    end)
    when d.name is not null then format('several accounts have the role of "%s"', d.name)
    when rule.filter is not null and cardinality((portolan.read_filter(rule.filter)).keys) > 0
    then 'its filter reads properties of the account, which the nodes do not have: write a rule for each account or group'
  end
  from (
    select min(u.name) as name
    from portolan.users u
    where rule.username <> '*' and u.name like portolan.like_pattern(rule.username)
      and (select count(*) from portolan.users o where o.role = u.role) > 1) d
$$;
