-- The problem of the panels of a dashboard, with its place; null: nothing. A panel is {q, show: number, line, bar or table,
-- title, x and y (columns of the result), params (of q, by name), wide (boolean)}.
create or replace function portolan.dashboard_problem(panels jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  if jsonb_typeof(panels) is distinct from 'array' or jsonb_array_length(panels) > 40 then
    return 'panels: must be a list of at most 40';
  elsif octet_length(panels::text) > 262144 then
    return 'the dashboard has more than 262144 bytes';
  end if;
  select format('panels[%s]%s', l.place - 1, p.problem) into v_problem
  from jsonb_array_elements(panels) with ordinality l (panel, place)
    cross join lateral portolan.panel_problem(l.panel) p (problem)
  where p.problem is not null
  order by l.place limit 1;
  return v_problem;
end
$$;
