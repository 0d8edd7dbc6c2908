-- The effect of rules on a command (r select, a insert, w update, d delete) of the caller on a table: 0 allow, -1 deny, else
-- the number of the limit rule whose filter holds. The policies portolan_rules_… call it once for each statement; security
-- invoker, because portolan.me goes by the caller. A role that is no account gets nothing.
create or replace function portolan.rule(relation regclass, command "char") returns integer
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp -- an operator of the caller's own must not decide
as $$
declare
  v_superuser boolean;
  v_rule integer;
begin
  select m.superuser into v_superuser from portolan.me m;
  if not found then
    return -1;
  elsif v_superuser then
    return 0;
  end if;
  select case r.access when 'a' then 0 when 'd' then -1 else r.id end into v_rule
  from portolan.my_rules r
  where r.relation = rule.relation and r.command = rule.command
  order by r.priority, r.id
  limit 1;
  return coalesce(v_rule, 0);
end
$$;
