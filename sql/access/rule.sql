-- The effect of rules on a command (r select, a insert, w update, d delete) of the caller on a table: 0 allow, -1 deny,
-- else the number of the limit rule whose filter holds. The policies portolan_rules_… call it once for each statement;
-- security invoker, because portolan.me depends on the caller. A role that is not an account gets nothing. Where two
-- interfaces count, both must allow the caller; two limits with different filters deny, since only one filter can hold.
create or replace function portolan.rule(relation regclass, command "char") returns integer
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp -- an operator of the caller's own must not decide
as $$
declare
  v_superuser boolean;
  v_service text;
  v_rule integer;
  v_rules integer[];
begin
  select m.superuser, m.service into v_superuser, v_service from portolan.me m;
  if not found then
    return -1;
  elsif v_superuser then
    return 0;
  end if;
  if v_service = 'mcp sql' then
    v_rules := array(
      select coalesce((
        select case r.access when 'a' then 0 when 'd' then -1 else r.id end
        from portolan.my_rules r
        where r.relation = rule.relation and r.command = rule.command and coalesce(r.service, s.service) = s.service
        order by r.priority, r.id
        limit 1), 0)
      from (values ('mcp'), ('sql')) s (service));
    return case
      when v_rules[1] = 0 or v_rules[1] = v_rules[2] then v_rules[2]
      when v_rules[2] = 0 then v_rules[1]
      else -1
    end;
  end if;
  select case r.access when 'a' then 0 when 'd' then -1 else r.id end into v_rule
  from portolan.my_rules r
  where r.relation = rule.relation and r.command = rule.command
  order by r.priority, r.id
  limit 1;
  return coalesce(v_rule, 0);
end
$$;
