-- SQL that gives a row, of a table or of its twin named by alias, as jsonb: the columns of the table that the caller may
-- read there. Raises 42501 where it may read none.
create or replace function portolan.readable_record(relation regclass, source regclass, alias text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_geometries text[] := portolan.geometry_columns(relation);
  v_columns text := (
    select string_agg(
      case when a.attname = any (v_geometries)
        then format('portolan.geometry_record(%1$I.%2$I, %3$L) as %2$I', alias, a.attname, portolan.postgis_schema())
        else format('%I.%I', alias, a.attname)
      end, ', ' order by a.attnum)
    from pg_attribute a
      join pg_attribute s on s.attrelid = source and s.attname = a.attname and s.attnum > 0
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and has_column_privilege(source, s.attnum, 'select'));
begin
  if v_columns is null then
    raise insufficient_privilege using message = format('permission denied for table %s', relation);
  end if;
  return format('(select to_jsonb(r) from (select %s) r)', v_columns);
end
$$;
