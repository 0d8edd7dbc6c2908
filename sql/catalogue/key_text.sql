-- SQL that gives the key of a row, named by alias, as the one text that every interface uses; key_condition reads it. Raises
-- PX400 for a table without a primary key.
create or replace function portolan.key_text(relation regclass, alias text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_columns text[] := portolan.key_columns(relation);
begin
  if cardinality(v_columns) = 0 then
    raise exception '% has no primary key', relation using errcode = 'PX400';
  elsif cardinality(v_columns) = 1 then
    return format('%I.%I::text', alias, v_columns[1]);
  end if;
  return (
    select string_agg(format('portolan.encode_key(%I.%I::text)', alias, c.name), ' || '','' || ' order by c.place)
    from unnest(v_columns) with ordinality c (name, place));
end
$$;
