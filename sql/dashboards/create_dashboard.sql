-- Saves a dashboard of charts, numbers and tables (see dashboard_problem). The caller owns it; `shared` names accounts and groups
-- that see it too, * everybody who is signed in. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_dashboard(
  name text, title text default null, panels jsonb default '[]', shared text[] default '{}'
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into portolan.dashboards (name, title, panels, shared)
  values (name, title, coalesce(panels, '[]'), coalesce(shared, '{}'));
  return name;
exception
  when unique_violation then
    raise exception 'the dashboard "%" exists', name using errcode = 'PX409';
end
$$;
