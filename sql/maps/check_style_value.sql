-- The reason why a value in a style is wrong, in words, or null when it is right. kind: the word for an allowed kind; two
-- numbers, between which the value must be unless it names a column of numbers; or the allowed words.
create or replace function portolan.check_style_value(relation regclass, kind jsonb, value jsonb) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
  v_number numeric := case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end;
  v_column text := portolan.style_column(relation, v_text);
begin
  if jsonb_typeof(kind -> 0) = 'number' then
    if v_column in ('integer', 'decimal') or v_number between (kind ->> 0)::numeric and (kind ->> 1)::numeric then
      return null;
    end if;
    return format('a number from %s to %s, or the name of a column of numbers', kind -> 0, kind -> 1);
  elsif jsonb_typeof(kind) = 'array' then
    if kind ? v_text then
      return null;
    end if;
    return 'one of ' || (select string_agg(k, ', ') from jsonb_array_elements_text(kind) k);
  end if;
  case kind #>> '{}'
    when 'name' then
      if v_text ~ '\S' and length(v_text) <= 100 then
        return null;
      end if;
      return 'a text of 1 to 100 characters';
    when 'scale' then
      if v_number between 0.000001 and 1e12 then
        return null;
      end if;
      return 'the denominator of a scale, such as 50000';
    when 'color' then
      if v_text ~ '^#[0-9A-Fa-f]{6}$' or v_column = 'text' then
        return null;
      end if;
      return 'a colour, #RRGGBB, or the name of a column of colours';
    when 'pattern' then
      if jsonb_typeof(value) = 'array' and jsonb_array_length(value) in (2, 4, 6, 8, 10) and not exists (
        select from jsonb_array_elements(value) e
        where case jsonb_typeof(e) when 'number' then not (e #>> '{}')::numeric between 0.000001 and 500 else true end
      ) then
        return null;
      end if;
      return 'lengths of dashes and gaps in turn, 2 to 10 numbers';
    when 'text' then
      if v_column <> 'other' or v_column is null and v_text ~ '\{' and not exists (
        select from regexp_matches(v_text, '\{([^{}]*)\}', 'g') m
        where coalesce(portolan.style_column(relation, m[1]), 'other') = 'other'
      ) then
        return null;
      end if;
      return 'the name of a column, or text with {column} in it';
  end case;
end
$$;
