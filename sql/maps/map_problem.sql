-- The problem of the view and the layers of a saved map, with its place; null: nothing. The view is null or {center:
-- [longitude, latitude], zoom: 0 to 24, time}. A layer is one of a collection (schema.table), a basemap of the
-- administrator, or the land, with title, show (tiles, features or map), opacity (0 to 1), visible, filter (CQL2) and style (the name of
-- a style of the collection, or classes of the layer itself) and color (where there is no style).
create or replace function portolan.map_problem(view jsonb, layers jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  if octet_length(coalesce(view::text, '')) + octet_length(coalesce(layers::text, '')) > 262144 then
    return 'the map has more than 262144 bytes';
  end if;
  if jsonb_typeof(layers) is distinct from 'array' or jsonb_array_length(layers) > 50 then
    return 'layers: must be a list of at most 50';
  end if;
  if coalesce(jsonb_typeof(view), 'null') <> 'null' then
    v_problem := portolan.map_view_problem(view);
    if v_problem is not null then
      return v_problem;
    end if;
  end if;
  select format('layers[%s]%s', l.place - 1, p.problem) into v_problem
  from jsonb_array_elements(layers) with ordinality l (layer, place)
    cross join lateral portolan.map_layer_problem(l.layer) p (problem)
  where p.problem is not null
  order by l.place limit 1;
  return v_problem;
end
$$;
