-- Changes members of a dashboard: title, panels, shared, and for super users owner; others stay. With `version` only
-- the dashboard of that version is changed. Raises PX400, PX403 for somebody else's, PX404 for one that the caller cannot see,
-- PX409 where somebody has changed it since that version.
create or replace function portolan.update_dashboard(name text, changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_dashboard portolan.dashboards;
  v_unknown text;
begin
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in ('title', 'panels', 'shared', 'owner', 'version');
  if v_unknown is not null then
    raise exception 'a dashboard has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  select m.* into v_dashboard from portolan.dashboards m where m.name = update_dashboard.name;
  if not found then
    raise exception 'there is no dashboard "%"', name using errcode = 'PX404';
  end if;
  if coalesce(jsonb_typeof(changes -> 'version'), 'null') <> 'null' and changes -> 'version' <> to_jsonb(v_dashboard.version) then
    raise exception 'somebody has changed the dashboard "%" since', name using errcode = 'PX409';
  end if;
  v_dashboard := jsonb_populate_record(v_dashboard, changes - 'version');
  update portolan.dashboards m
  set
    title = v_dashboard.title,
    panels = coalesce(v_dashboard.panels, '[]'),
    shared = coalesce(v_dashboard.shared, '{}'),
    owner = lower(v_dashboard.owner)
  where m.name = update_dashboard.name and m.version = v_dashboard.version;
  if not found and exists (select from portolan.dashboards m where m.name = update_dashboard.name and m.version <> v_dashboard.version) then
    raise exception 'somebody has changed the dashboard "%" since', name using errcode = 'PX409';
  elsif not found then
    raise exception 'the dashboard "%" is somebody else''s', name using errcode = 'PX403';
  end if;
exception
  when foreign_key_violation then
    raise exception 'owner: there is no account "%"', v_dashboard.owner using errcode = 'PX400';
end
$$;
