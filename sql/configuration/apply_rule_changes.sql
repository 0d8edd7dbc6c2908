-- Makes the changes of rules in a configuration: all at once, since rules are compiled after each statement that writes
-- them. Raises what the functions of rules raise, with the number of the rule, which is found by trying halves.
create or replace function portolan.apply_rule_changes(changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wrong text;
  v_count constant integer := jsonb_array_length(changes);
  v_message text;
  v_state text;
begin
  select c ->> 'name' into v_wrong from jsonb_array_elements(changes) c where c ->> 'name' !~ '^[1-9][0-9]{0,8}$' limit 1;
  if v_wrong is not null then
    raise exception 'rules: %: name a rule by its number', v_wrong using errcode = 'PX400';
  end if;
  delete from portolan.rules r
  using jsonb_array_elements(changes) c
  where c ->> 'action' = 'remove' and r.id = (c ->> 'name')::integer;
  update portolan.rules r
  set (priority, username, service, request, schema, "table", iprange, access, filter, mfa) = (
    n.priority, n.username, n.service, n.request, n.schema, n."table", n.iprange, n.access, n.filter, n.mfa)
  from jsonb_array_elements(changes) c,
    portolan.rule_record(c -> 'after', '{"mfa": false}') n
  where c ->> 'action' = 'change' and r.id = (c ->> 'name')::integer;
  insert into portolan.rules (id, priority, username, service, request, schema, "table", iprange, access, filter, mfa)
  select (c ->> 'name')::integer, n.priority, n.username, n.service, n.request, n.schema, n."table", n.iprange, n.access,
    n.filter, n.mfa
  from jsonb_array_elements(changes) c,
    portolan.rule_record(c -> 'after',
      '{"priority": 0, "username": "*", "service": "*", "request": "*", "schema": "*", "table": "*", "iprange": "*", "mfa": false}') n
  where c ->> 'action' = 'create';
  perform setval('portolan.rules_id_seq', greatest(
    (select s.last_value from portolan.rules_id_seq s), (select coalesce(max(r.id), 1) from portolan.rules r)));
exception
  when others then
    v_message := sqlerrm;
    v_state := sqlstate;
    if v_count > 1 then
      perform portolan.apply_rule_changes(jsonb_path_query_array(changes, '$[0 to $last]', jsonb_build_object('last', v_count / 2 - 1)));
      perform portolan.apply_rule_changes(jsonb_path_query_array(changes, '$[$first to last]', jsonb_build_object('first', v_count / 2)));
      raise exception 'rules: %', v_message using errcode = v_state; -- each half alone may be done
    end if;
    raise exception '%', case when v_message like 'rules: %' then v_message else format('rules: %s: %s', changes -> 0 ->> 'name', v_message) end
      using errcode = v_state;
end
$$;
