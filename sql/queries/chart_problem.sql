-- The problem of the chart of a saved query, after its name; null: nothing. A chart is null or {show: number, line or bar, x and y
-- (columns of the result)}, as in a panel of a dashboard (see panel_problem).
create or replace function portolan.chart_problem(chart jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if coalesce(jsonb_typeof(chart), 'null') = 'null' then
    return null;
  elsif jsonb_typeof(chart) <> 'object' then
    return ': must be an object';
  end if;
  select k.key into v_unknown from jsonb_object_keys(chart) k (key) where k.key not in ('show', 'x', 'y') limit 1;
  return case
    when v_unknown is not null then format(': there is no %s', left(v_unknown, 100))
    when coalesce(chart ->> 'show', '') not in ('number', 'line', 'bar') then '.show: must be number, line or bar'
    when coalesce(jsonb_typeof(chart -> 'x'), 'null') not in ('string', 'null') or length(chart ->> 'x') > 63
      then '.x: must be the name of a column'
    when coalesce(jsonb_typeof(chart -> 'y'), 'null') not in ('string', 'null') or length(chart ->> 'y') > 63
      then '.y: must be the name of a column'
  end;
end
$$;
