-- The problem of a view of a table, with its place; null if there is none. kind is grid, form, cards, calendar, kanban
-- or map. filter is in the filter language; sort is a column or -column. columns is {order, hidden, pinned: names of
-- columns, widths: pixels by name}. fields names the columns that a kind needs: {label, date, until, group, geometry}.
-- A calendar needs date, a kanban board needs group.
create or replace function portolan.view_problem(kind text, filter jsonb, sort text, columns jsonb, fields jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  v_problem := case
    when kind is null or kind not in ('grid', 'form', 'cards', 'calendar', 'kanban', 'map')
      then 'kind: must be grid, form, cards, calendar, kanban or map'
    when jsonb_typeof(filter) <> 'object' then 'filter: must be an object'
    when length(sort) not between 1 and 64 then 'sort: must be the name of a column, or - and the name'
    when jsonb_typeof(columns) <> 'object' then 'columns: must be an object'
    when jsonb_typeof(fields) <> 'object' then 'fields: must be an object'
    when octet_length(concat(filter, columns, fields)) > 65536 then 'the view has more than 65536 bytes'
  end;
  if v_problem is not null then
    return v_problem;
  end if;
  select p.problem into v_problem
  from (
    select case
        when c.key not in ('order', 'hidden', 'pinned', 'widths') then format('columns: there is no %s', c.key)
        when c.key = 'widths' and (
          jsonb_typeof(c.value) <> 'object' or jsonb_path_exists(c.value, '$.* ? (@.type() != "number")'))
          then 'columns.widths: must be numbers by the names of columns'
        when c.key <> 'widths' and (
          jsonb_typeof(c.value) <> 'array' or jsonb_path_exists(c.value, '$[*] ? (@.type() != "string")'))
          then format('columns.%s: must be a list of names', c.key)
      end
    from jsonb_each(coalesce(columns, '{}')) c
    union all
    select case
        when f.key not in ('label', 'date', 'until', 'group', 'geometry') then format('fields: there is no %s', f.key)
        when jsonb_typeof(f.value) <> 'string' or length(f.value #>> '{}') not between 1 and 63
          then format('fields.%s: must be the name of a column', f.key)
      end
    from jsonb_each(coalesce(fields, '{}')) f
  ) p (problem)
  where p.problem is not null
  limit 1;
  return case
    when v_problem is not null then v_problem
    when kind = 'calendar' and fields ->> 'date' is null then 'fields.date: a calendar needs a column of dates'
    when kind = 'kanban' and fields ->> 'group' is null then 'fields.group: a kanban board needs a column'
  end;
end
$$;
