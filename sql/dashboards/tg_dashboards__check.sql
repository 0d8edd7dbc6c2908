-- Checks the row of a dashboard in every write. Raises PX400.
create or replace function portolan.tg_dashboards__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  v_problem := case
    when new.name is null or new.name !~ '^[a-z0-9-]{1,60}$' then 'name: must be 1 to 60 of a-z, 0-9 and -'
    when length(new.title) not between 1 and 200 then 'title: must have 1 to 200 characters'
    else portolan.dashboard_problem(new.panels)
  end;
  if v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX400';
  end if;
  return new;
end
$$;
