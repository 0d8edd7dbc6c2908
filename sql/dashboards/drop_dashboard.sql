-- Removes a dashboard. Raises PX403 for somebody else's, PX404 for one that the caller cannot see.
create or replace function portolan.drop_dashboard(name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from portolan.dashboards m where m.name = drop_dashboard.name) then
    raise exception 'there is no dashboard "%"', name using errcode = 'PX404';
  end if;
  delete from portolan.dashboards m where m.name = drop_dashboard.name;
  if not found then
    raise exception 'the dashboard "%" is somebody else''s', name using errcode = 'PX403';
  end if;
end
$$;
