-- Checks the row of a dashboard in every write. Raises PX400.
create or replace function portolan.tg_dashboards__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  new.panels := coalesce(new.panels, '[]');
  v_problem := portolan.dashboard_problem(new.panels);
  if v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX400';
  end if;
  return new;
end
$$;
