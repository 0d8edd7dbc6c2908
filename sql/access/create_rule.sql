-- Makes a rule of the members of `rule`: priority, username, service, request, schema, table, iprange, access, filter, mfa, and
-- id to choose its number; access is required. Returns its number. Raises PX400, PX409.
create or replace function portolan.create_rule(rule jsonb) returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the rules
as $$
declare
  v_rule portolan.rules := portolan.rule_record(
    rule, '{"priority": 0, "username": "*", "service": "*", "request": "*", "schema": "*", "table": "*", "iprange": "*", "mfa": false}');
begin
  perform portolan.lock_own('portolan.rules', 'row exclusive'); -- first: the order of locks is that of one_at_a_time
  perform portolan.one_at_a_time();
  if v_rule.id is null then
    loop
      v_rule.id := nextval('portolan.rules_id_seq');
      exit when not exists (select from portolan.rules r where r.id = v_rule.id);
    end loop;
  elsif exists (select from portolan.rules r where r.id = v_rule.id) then
    raise exception 'rule % exists', v_rule.id using errcode = 'PX409';
  end if;
  insert into portolan.rules select v_rule.*;
  return v_rule.id;
end
$$;
