-- The rules that apply to the caller, its address and its interface. A view for the same reason as portolan.me. An unknown
-- address or interface meets every deny and limit rule, and no allow rule that names one. SQL that somebody wrote for an agent
-- comes through the interfaces mcp and sql: it meets the rules of both, and `service` tells them apart.
create or replace view portolan.my_rules with (security_barrier) as
  select r.relation, r.command, r.priority, r.id, r.access, r.service
  from portolan.me m, portolan.rule_map r
  where (
      r.service is null
      or case
        when m.service is null then r.access <> 'a'
        when m.service = 'mcp sql' then r.service in ('mcp', 'sql')
        else r.service = m.service
      end)
    and (r.network is null or case when m.ip is null then r.access <> 'a' else m.ip <<= r.network end)
    and (
      r.username is null
      or m.name like r.username
      or exists (
        select from unnest((select array_agg(g.name) from portolan.my_groups g)) g (name) where g.name like r.username));
