-- The rules that apply to the caller, its address and its interface, each with its effect on the caller: a rule with
-- `mfa` denies a session without a second factor (lacks_factor), and acts as written for others. A view for the same
-- reason as portolan.me. An unknown address or interface meets every deny and limit rule, and no allow rule that names
-- one. A caller's own SQL for an agent comes through the interfaces mcp and sql: it meets the rules of both, and
-- `service` distinguishes them. Pictures (ows) and features (wfst) are the parts of ogc and meet its rules too. For the
-- parts, a description of both, which is ogc, is an unknown interface.
create or replace view portolan.my_rules with (security_barrier) as
  select r.relation, r.command, r.priority, r.id, e.access, r.service, e.lacks_factor
  from portolan.me m
    cross join portolan.rule_map r
    cross join lateral (
      select case when r.mfa and not m.mfa then 'd'::"char" else r.access end, r.mfa and not m.mfa) e (access, lacks_factor)
  where (
      r.service is null
      or case
        when m.service is null or m.service = 'ogc' and m.part is null and r.service in ('ows', 'wfst') then e.access <> 'a'
        when m.service = 'mcp sql' then r.service in ('mcp', 'sql')
        else r.service in (m.service, m.part)
      end)
    and (r.network is null or case when m.ip is null then e.access <> 'a' else m.ip <<= r.network end)
    and (
      r.username is null
      or m.name like r.username
      or exists (
        select from unnest((select array_agg(g.name) from portolan.my_groups g)) g (name) where g.name like r.username));
