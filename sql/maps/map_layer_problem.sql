-- The problem of a layer of a saved map (see map_problem), with the member it is in; null: nothing.
create or replace function portolan.map_layer_problem(layer jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(layer) <> 'object' then
    return ': must be an object';
  end if;
  select k.key into v_unknown
  from jsonb_object_keys(layer) k (key)
  where k.key not in ('collection', 'basemap', 'land', 'show', 'title', 'opacity', 'visible', 'filter', 'style', 'color')
  limit 1;
  if found then
    return format('.%s: there is no such member', left(v_unknown, 100));
  end if;
  if (select count(*) from jsonb_object_keys(layer) k (key) where k.key in ('collection', 'basemap', 'land')) <> 1 then
    return ': must have one of collection, basemap and land';
  end if;
  return case
    when layer ? 'collection' and not jsonb_path_match(layer,
      'exists($.collection ? (@.type() == "string" && @ like_regex "^[^.]+[.]."))')
      or length(layer ->> 'collection') > 130
    then '.collection: must be schema.table'
    when layer ? 'basemap' and not jsonb_path_match(layer,
      'exists($.basemap ? (@.type() == "string" && @ like_regex "^[a-z0-9-]{1,60}$"))')
    then '.basemap: must be the name of a basemap: 1 to 60 of a-z, 0-9 and -'
    when layer ? 'land' and layer -> 'land' <> 'true' then '.land: must be true'
    when layer ? 'show' and layer ->> 'show' not in ('tiles', 'features', 'map')
      or layer ? 'show' and not layer ? 'collection'
    then '.show: must be tiles, features or map, of a collection'
    when layer ? 'filter' and not layer ? 'collection' then '.filter: only a collection has one'
    when layer ? 'filter' and jsonb_typeof(layer -> 'filter') not in ('string', 'null')
      or length(layer ->> 'filter') > 10000
    then '.filter: must be a condition in CQL2 of at most 10000 characters'
    when layer ? 'style' and not layer ? 'collection' then '.style: only a collection has one'
    when layer ? 'style' and not case jsonb_typeof(layer -> 'style')
      when 'null' then true
      when 'string' then length(layer ->> 'style') between 1 and 60
      when 'array' then jsonb_array_length(layer -> 'style') between 1 and 100
        and octet_length(layer ->> 'style') <= 20480 -- with the spaces that jsonb writes
        and not exists (select from jsonb_array_elements(layer -> 'style') c (class) where jsonb_typeof(c.class) <> 'object')
      else false
    end
    then '.style: must be the name of a style, or a list of 1 to 100 classes of at most 16384 bytes'
    when layer ? 'color' and not layer ? 'collection' then '.color: only a collection has one'
    when layer ? 'color' and not jsonb_path_match(layer,
      'exists($.color ? (@.type() == "string" && @ like_regex "^#[0-9a-f]{6}$"))')
    then '.color: must be #rrggbb'
    when layer ? 'title' and jsonb_typeof(layer -> 'title') not in ('string', 'null') or length(layer ->> 'title') > 200
    then '.title: must be a text of at most 200 characters'
    when layer ? 'opacity' and not jsonb_path_match(layer,
      'exists($.opacity ? (@.type() == "number" && @ >= 0 && @ <= 1))')
    then '.opacity: must be a number from 0 to 1'
    when layer ? 'visible' and jsonb_typeof(layer -> 'visible') <> 'boolean' then '.visible: must be true or false'
  end;
end
$$;
