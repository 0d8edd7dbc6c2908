-- The problem of the view of a saved map (see map_problem); null: nothing.
create or replace function portolan.map_view_problem(view jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(view) <> 'object' then
    return 'view: must be an object';
  end if;
  select k.key into v_unknown from jsonb_object_keys(view) k (key) where k.key not in ('center', 'zoom', 'time') limit 1;
  if found then
    return format('view.%s: there is no such member', left(v_unknown, 100));
  end if;
  if not coalesce(jsonb_path_match(view, 'strict $.center.type() == "array" && $.center.size() == 2
      && $.center[0].type() == "number" && $.center[0] >= -180 && $.center[0] <= 180
      && $.center[1].type() == "number" && $.center[1] >= -90 && $.center[1] <= 90', silent => true), false)
  then
    return 'view.center: must be [longitude, latitude] in degrees';
  end if;
  if not jsonb_path_match(view, 'exists($.zoom ? (@.type() == "number" && @ >= 0 && @ <= 24))') then
    return 'view.zoom: must be a number from 0 to 24';
  end if;
  if not jsonb_path_match(view, '!exists($.time)
    || exists($.time ? (@.type() == "null" || @.type() == "string"
      && @ like_regex "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$"))')
  then
    return 'view.time: must be an instant such as 2026-01-31T12:00:00Z';
  end if;
  return null;
end
$$;
