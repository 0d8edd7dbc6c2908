-- Refuses an operand that a comparison in the condition of a style cannot take. kind: the answer of style_column for the
-- column. Raises PX400 that names the path.
create or replace function portolan.check_style_operand(
  relation regclass, column_name text, kind text, operator text, operand jsonb, path text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_type text;
  v_is_tried boolean;
  v_is_refused boolean := false;
  v_labels text[];
  v_values jsonb;
  v_value jsonb;
  v_takes text[] := case kind
    when 'integer' then '{number,string}'
    when 'decimal' then '{number,string}'
    when 'boolean' then '{boolean}'
    else '{string}'
  end;
begin
  case operator
    when 'isnull' then
      if jsonb_typeof(operand) <> 'boolean' then
        raise exception '%: expected true or false', path using errcode = 'PX400';
      end if;
      return;
    when 'like', 'ilike', 'startswith', 'endswith' then
      if kind <> 'text' or jsonb_typeof(operand) <> 'string' then
        raise exception '%: expected a pattern, a prefix or a suffix, for a column of text', path using errcode = 'PX400';
      end if;
      return;
    when 'in', 'nin' then
      if jsonb_typeof(operand) <> 'array' or jsonb_array_length(operand) > 10000 then
        raise exception '%: expected a list of at most 10000 values', path using errcode = 'PX400';
      end if;
    when 'eq', 'neq' then
      null;
    when 'gt', 'gte', 'lt', 'lte' then
      if operand = 'null' then
        raise exception '%: expected a value, got null', path using errcode = 'PX400';
      end if;
    else
      raise exception '%: there is no operator "%"; there are eq, neq, gt, gte, lt, lte, in, nin, like, ilike, startsWith, endsWith, isNull',
        path, operator using errcode = 'PX400';
  end case;
  -- values are tried only on types that PostgreSQL itself made: the check of a domain is somebody's code, and an enum may
  -- become one under the same name meanwhile
  select format_type(b.oid, null), b.typnamespace = 'pg_catalog'::regnamespace,
    case b.typtype when 'e' then array(select e.enumlabel from pg_enum e where e.enumtypid = b.oid) end
  into v_type, v_is_tried, v_labels
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  where a.attrelid = relation and a.attname = column_name and a.attnum > 0;
  v_values := case when operator in ('in', 'nin') then operand else jsonb_build_array(operand) end;
  select e into v_value from jsonb_array_elements(v_values) e
  where e <> 'null' and (
    not jsonb_typeof(e) = any (v_takes)
    or kind = 'integer' and e #>> '{}' !~ '^\s*[-+]?\d+\s*$'
    or kind = 'decimal' and e #>> '{}' ~* '0x'
    or not e #>> '{}' = any (v_labels))
  limit 1;
  if v_value is not null then
    raise exception '%: expected a value of type %, got %', path, v_type, v_value using errcode = 'PX400';
  end if;
  if not v_is_tried then
    return;
  end if;
  begin
    execute format('select count(e::%s) from jsonb_array_elements_text($1) e', v_type) using v_values; -- all in one statement: fast
  exception
    when data_exception then
      v_is_refused := true;
  end;
  if not v_is_refused then
    return;
  end if;
  for v_value in select e from jsonb_array_elements(v_values) e where e <> 'null' loop
    begin
      execute format('select %L::%s', v_value #>> '{}', v_type);
    exception
      when data_exception then
        raise exception '%: expected a value of type %, got %', path, v_type, v_value using errcode = 'PX400';
    end;
  end loop;
end
$$;
