-- Changes members of a saved map: title, view, layers, shared, and for super users owner; others stay. With `version` only
-- the map of that version is changed. Raises PX400, PX403 for somebody else's map, PX404 for one that the caller cannot see,
-- PX409 where somebody has changed it since that version.
create or replace function portolan.update_map(name text, changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_map portolan.maps;
  v_unknown text;
begin
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in ('title', 'view', 'layers', 'shared', 'owner', 'version');
  if v_unknown is not null then
    raise exception 'a map has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  select m.* into v_map from portolan.maps m where m.name = update_map.name;
  if not found then
    raise exception 'there is no map "%"', name using errcode = 'PX404';
  end if;
  if coalesce(jsonb_typeof(changes -> 'version'), 'null') <> 'null' and changes -> 'version' <> to_jsonb(v_map.version) then
    raise exception 'somebody has changed the map "%" since', name using errcode = 'PX409';
  end if;
  v_map := jsonb_populate_record(v_map, changes - 'version');
  update portolan.maps m
  set
    title = v_map.title,
    view = nullif(v_map.view, 'null'),
    layers = coalesce(v_map.layers, '[]'),
    shared = coalesce(v_map.shared, '{}'),
    owner = lower(v_map.owner)
  where m.name = update_map.name and m.version = v_map.version;
  if not found and exists (select from portolan.maps m where m.name = update_map.name and m.version <> v_map.version) then
    raise exception 'somebody has changed the map "%" since', name using errcode = 'PX409';
  elsif not found then
    raise exception 'the map "%" is somebody else''s', name using errcode = 'PX403';
  end if;
exception
  when foreign_key_violation then
    raise exception 'owner: there is no account "%"', v_map.owner using errcode = 'PX400';
end
$$;
