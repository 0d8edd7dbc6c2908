-- Refuses an unknown or missing member, or one with a bad value, in one object of a style. object: class, styles or labels.
-- Raises PX400 that names the path.
create or replace function portolan.check_style_members(relation regclass, object text, value jsonb, path text)
  returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_members jsonb := case object
    when 'class' then '{"name": "name", "where": "where", "minScale": "scale", "maxScale": "scale", "styles": "list", "labels": "list"}'
    when 'styles' then '{"color": "color", "outlineColor": "color", "width": [0, 500], "symbol": ["circle", "square", "triangle", "diamond", "star", "cross", "x", "hatch"], "size": [0, 500], "pattern": "pattern", "angle": [-360, 360], "opacity": [0, 100]}'
    else '{"text": "text", "size": [4, 100], "color": "color", "outlineColor": "color", "position": ["auto", "follow", "ul", "uc", "ur", "cl", "cc", "cr", "ll", "lc", "lr"], "minScale": "scale", "maxScale": "scale"}'
  end;
  v_needed text := case object when 'class' then 'name' when 'labels' then 'text' end;
  v_name text;
  v_given jsonb;
  v_expected text;
begin
  if jsonb_typeof(value) is distinct from 'object' then
    raise exception '%: expected an object', path using errcode = 'PX400';
  end if;
  for v_name, v_given in select e.key, e.value from jsonb_each(value) e loop
    if not v_members ? v_name then
      raise exception '%: there is no "%"; there are %', path, v_name,
        (select string_agg(k, ', ') from jsonb_object_keys(v_members) k) using errcode = 'PX400';
    end if;
    continue when v_given = 'null' or v_members ->> v_name = 'list';
    if v_members ->> v_name = 'where' then
      perform portolan.check_style_where(relation, v_given, path || '.where');
      continue;
    end if;
    v_expected := portolan.check_style_value(relation, v_members -> v_name, v_given);
    if v_expected is not null then
      raise exception '%.%: expected %, got %', path, v_name, v_expected, left(v_given::text, 60) using errcode = 'PX400';
    end if;
  end loop;
  if coalesce(value -> v_needed, 'null') = 'null' and v_needed is not null then
    raise exception '%: % is missing', path, v_needed using errcode = 'PX400';
  end if;
  if (value ->> 'minScale')::float8 >= (value ->> 'maxScale')::float8 then
    raise exception '%.maxScale: expected more than minScale', path using errcode = 'PX400';
  end if;
end
$$;
