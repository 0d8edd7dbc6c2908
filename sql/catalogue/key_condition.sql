-- The condition, as SQL on `alias`, that a row of the table has the key that the text stands for: the plain value of a key
-- of one column; the values of several columns percent-encoded and joined by commas. The condition is 'false' for text that
-- cannot be such a key. Raises PX400 for a table without a primary key.
create or replace function portolan.key_condition(relation regclass, key text, alias text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_columns text[] := portolan.key_columns(relation);
  v_values text[] := array[key];
  v_condition text;
begin
  if cardinality(v_columns) = 0 then
    raise exception '% has no primary key', relation using errcode = 'PX400';
  elsif cardinality(v_columns) > 1 then
    v_values := array(
      select (
        select coalesce(convert_from(decode(string_agg(
          case when m[1] ~ '^%[0-9A-Fa-f]{2}$' then substr(m[1], 2) else encode(convert_to(m[1], 'UTF8'), 'hex') end, ''),
          'hex'), 'UTF8'), '')
        from regexp_matches(p.part, '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') m)
      from unnest(string_to_array(key, ',')) with ordinality p (part, place)
      order by p.place);
  end if;
  if key is null or cardinality(v_values) <> cardinality(v_columns) then
    return 'false';
  end if;
  select string_agg(
    format('%I.%I = %L::%s', alias, c.name, c.value, format_type(a.atttypid, a.atttypmod)), ' and ' order by c.place)
  into v_condition
  from unnest(v_columns, v_values) with ordinality c (name, value, place)
    join pg_attribute a on a.attrelid = relation and a.attname = c.name;
  -- a value that its type does not take is found here
  execute 'select ' || v_condition || ' from (select '
    || (select string_agg(format('null::%s as %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ')
        from pg_attribute a where a.attrelid = relation and a.attname = any (v_columns))
    || format(') as %I', alias);
  return v_condition;
exception
  when data_exception or character_not_in_repertoire then
    return 'false';
end
$$;
