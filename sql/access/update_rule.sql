-- Changes the members of a rule that are in `changes`. Raises PX400, PX404, PX409.
create or replace function portolan.update_rule(id integer, changes jsonb) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the rules
as $$
declare
  v_rule portolan.rules;
begin
  perform portolan.lock_own('portolan.rules', 'row exclusive'); -- first: the order of locks is that of one_at_a_time
  perform portolan.one_at_a_time();
  select r.* into v_rule from portolan.rules r where r.id = update_rule.id;
  if not found then
    raise exception 'there is no rule %', id using errcode = 'PX404';
  end if;
  v_rule := portolan.rule_record(changes, to_jsonb(v_rule));
  update portolan.rules r
  set
    id = v_rule.id,
    priority = v_rule.priority,
    username = v_rule.username,
    service = v_rule.service,
    request = v_rule.request,
    schema = v_rule.schema,
    "table" = v_rule."table",
    iprange = v_rule.iprange,
    access = v_rule.access,
    filter = v_rule.filter,
    mfa = v_rule.mfa
  where r.id = update_rule.id;
end
$$;
