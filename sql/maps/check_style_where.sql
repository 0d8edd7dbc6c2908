-- Refuses an invalid condition of a style: the filter language of the interfaces, on columns of simple types. Raises PX400
-- that names the path.
create or replace function portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer default 1)
  returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
  v_value jsonb;
  v_kind text;
  v_operator text;
  v_operand jsonb;
  v_path text;
begin
  if depth > 12 then
    raise exception '%: nested deeper than 12', path using errcode = 'PX400';
  end if;
  if jsonb_typeof(filter) is distinct from 'object' then
    raise exception '%: expected a filter object', path using errcode = 'PX400';
  end if;
  -- the parts of the filter language: comparisons, logical operators and elements of their lists
  if depth = 1 and 1000 < (
    select count(*) + count(distinct m -> 'id')
    from jsonb_path_query(filter, 'strict $.** ? (@.type() == "object").keyvalue()') m)
  then
    raise exception '%: a filter of more than 1000 parts', path using errcode = 'PX400';
  end if;
  for v_key, v_value in select key, value from jsonb_each(filter) loop
    v_path := path || '.' || v_key;
    v_kind := portolan.style_column(relation, v_key);
    if v_kind is null then
      case
        when lower(v_key) = 'not' or lower(v_key) in ('and', 'or') and jsonb_typeof(v_value) = 'object' then
          perform portolan.check_style_where(relation, v_value, v_path, depth + 1);
        when lower(v_key) in ('and', 'or') and jsonb_typeof(v_value) = 'array' then
          perform portolan.check_style_where(relation, e.value, format('%s[%s]', v_path, e.number - 1), depth + 1)
          from jsonb_array_elements(v_value) with ordinality e (value, number);
        when lower(v_key) in ('and', 'or') then
          raise exception '%: expected a list of filter objects', v_path using errcode = 'PX400';
        else
          raise exception '%: there is no column or logical operator "%"', path, v_key using errcode = 'PX400';
      end case;
      continue;
    end if;
    if v_kind = 'other' then
      raise exception '%: a style compares columns of simple types only', v_path using errcode = 'PX400';
    end if;
    if v_value = '{}' then
      raise exception '%: expected a value or at least one operator, got {}', v_path using errcode = 'PX400';
    end if;
    for v_operator, v_operand in
      select e.key, e.value
      from jsonb_each(case jsonb_typeof(v_value) when 'object' then v_value else jsonb_build_object('eq', v_value) end) e
    loop
      perform portolan.check_style_operand(
        relation, v_key, v_kind, lower(v_operator), v_operand,
        case jsonb_typeof(v_value) when 'object' then v_path || '.' || v_operator else v_path end);
    end loop;
  end loop;
end
$$;
