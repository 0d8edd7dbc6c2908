-- Refuses an invalid style; nothing checks it later. check_style_members has the rules for each member. Raises PX400 that
-- names the path, e.g. style[0].styles[1].width.
create or replace function portolan.check_style(relation regclass, style jsonb) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class jsonb;
  v_class_path text;
  v_part jsonb;
  v_part_path text;
  v_list text;
begin
  if jsonb_typeof(style) is distinct from 'array' or jsonb_array_length(style) = 0 then
    raise exception 'style: expected a list of classes' using errcode = 'PX400';
  end if;
  if octet_length(style::text) > 1000000 then
    raise exception 'style: more than 1000000 bytes' using errcode = 'PX400';
  end if;
  if jsonb_array_length(style) > 100 then
    raise exception 'style: a list of more than 100' using errcode = 'PX400';
  end if;
  for v_class, v_class_path in
    select e.value, format('style[%s]', e.number - 1) from jsonb_array_elements(style) with ordinality e (value, number)
  loop
    perform portolan.check_style_members(relation, 'class', v_class, v_class_path);
    foreach v_list in array array['styles', 'labels'] loop
      continue when coalesce(v_class -> v_list, 'null') = 'null';
      if jsonb_typeof(v_class -> v_list) <> 'array' then
        raise exception '%.%: expected a list', v_class_path, v_list using errcode = 'PX400';
      end if;
      if jsonb_array_length(v_class -> v_list) > 20 then
        raise exception '%.%: a list of more than 20', v_class_path, v_list using errcode = 'PX400';
      end if;
      for v_part, v_part_path in
        select e.value, format('%s.%s[%s]', v_class_path, v_list, e.number - 1)
        from jsonb_array_elements(v_class -> v_list) with ordinality e (value, number)
      loop
        perform portolan.check_style_members(relation, v_list, v_part, v_part_path);
      end loop;
    end loop;
  end loop;
end
$$;
