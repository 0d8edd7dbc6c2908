-- The problem of one panel of a dashboard (see dashboard_problem), after its place; null: nothing.
create or replace function portolan.panel_problem(panel jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(panel) <> 'object' then
    return ': must be an object';
  end if;
  select k.key into v_unknown
  from jsonb_object_keys(panel) k (key)
  where k.key not in ('q', 'show', 'title', 'x', 'y', 'params', 'wide')
  limit 1;
  return case
    when v_unknown is not null then format(': there is no %s', v_unknown)
    when coalesce(jsonb_typeof(panel -> 'q'), '') <> 'string' or length(panel ->> 'q') not between 1 and 100000
      then '.q: must have 1 to 100000 characters'
    when coalesce(panel ->> 'show', '') not in ('number', 'line', 'bar', 'table')
      then '.show: must be number, line, bar or table'
    when coalesce(jsonb_typeof(panel -> 'title'), 'null') not in ('string', 'null') or length(panel ->> 'title') > 200
      then '.title: must have at most 200 characters'
    when coalesce(jsonb_typeof(panel -> 'x'), 'null') not in ('string', 'null') or length(panel ->> 'x') > 63
      then '.x: must be the name of a column'
    when coalesce(jsonb_typeof(panel -> 'y'), 'null') not in ('string', 'null') or length(panel ->> 'y') > 63
      then '.y: must be the name of a column'
    when coalesce(jsonb_typeof(panel -> 'params'), 'null') not in ('object', 'null') then '.params: must be an object'
    when coalesce(jsonb_typeof(panel -> 'wide'), 'null') not in ('boolean', 'null') then '.wide: must be true or false'
  end;
end
$$;
