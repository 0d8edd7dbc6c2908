-- The row of portolan.rules for the members of `rule`, and of `base` where these are missing. Raises PX400 for unknown
-- members, and for values that a rule cannot have.
create or replace function portolan.rule_record(rule jsonb, base jsonb) returns portolan.rules
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
  v_rule portolan.rules;
begin
  if jsonb_typeof(rule) is distinct from 'object' then
    raise exception 'a rule must be a JSON object' using errcode = 'PX400';
  end if;
  select string_agg(format('"%s"', k.key), ', ') into v_unknown
  from jsonb_object_keys(rule) k (key)
  where k.key not in (
    'id', 'priority', 'username', 'service', 'request', 'schema', 'table', 'iprange', 'access', 'filter', 'mfa');
  if v_unknown is not null then
    raise exception 'a rule has no %', v_unknown using errcode = 'PX400';
  end if;
  begin
    v_rule := jsonb_populate_record(null::portolan.rules, base || rule);
  exception
    when data_exception then
      raise exception 'the rule has a value of the wrong type: %', sqlerrm using errcode = 'PX400';
  end;
  if v_rule.access is null or v_rule.access not in ('allow', 'limit', 'deny') then
    raise exception 'access must be allow, limit or deny' using errcode = 'PX400';
  elsif v_rule.access = 'limit' and v_rule.filter is null then
    raise exception 'access limit needs a filter, which selects its rows' using errcode = 'PX400';
  elsif v_rule.access <> 'limit' and v_rule.filter is not null then
    raise exception 'only access limit takes a filter' using errcode = 'PX400';
  elsif v_rule.access = 'deny' and v_rule.mfa then
    raise exception 'only allow and limit take mfa: a rule that denies also applies to sessions with a second factor' using errcode = 'PX400';
  elsif v_rule.service not in ('*', 'graphql', 'rpc', 'sql', 'events', 'ogc', 'ows', 'wfst', 'mcp') then
    raise exception 'service must be graphql, rpc, sql, events, ogc, ows, wfst, mcp or *' using errcode = 'PX400';
  elsif v_rule.request not in ('*', 'select', 'insert', 'update', 'delete') then
    raise exception 'request must be select, insert, update, delete or *' using errcode = 'PX400';
  elsif num_nulls(
    v_rule.priority, v_rule.username, v_rule.service, v_rule.request, v_rule.schema, v_rule."table", v_rule.iprange,
    v_rule.mfa) > 0
  then
    raise exception 'only filter can be null' using errcode = 'PX400';
  elsif v_rule.id <= 0 then
    raise exception 'the number of a rule must be positive' using errcode = 'PX400';
  end if;
  return v_rule;
end
$$;
