-- A type in SQL, for any search_path: its name, which may be qualified, with modifiers and dimensions, such as
-- numeric(10,2), geometry(Point,4326) or text[]. Names of PostgreSQL and PostGIS need no schema. Raises PX400.
create or replace function portolan.column_type(type text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_parts text[] := regexp_match(type, '^\s*([^()\[\]]+?)\s*(?:\(\s*(-?\w+(?:\s*,\s*-?\w+)*)\s*\))?\s*((?:\[\])*)\s*$');
  v_type regtype;
  v_text text;
begin
  begin
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', quote_ident(portolan.postgis_schema()::text), 'pg_temp'), true);
    v_type := to_regtype(v_parts[1]);
    perform set_config('search_path', 'pg_catalog, pg_temp', true);
    if v_type is null or exists (select from pg_type t where t.oid = v_type and t.typtype = 'p') then
      raise undefined_object;
    end if;
    v_text := v_type::text;
    if v_parts[2] is not null then
      v_text := case when v_text ~ ' time zone$' then regexp_replace(v_text, ' ', format('(%s) ', v_parts[2]))
        else format('%s(%s)', v_text, v_parts[2]) end;
    end if;
    v_text := v_text || v_parts[3];
    execute 'select null::' || v_text; -- modifiers that the type does not accept raise an error here
  exception
    when undefined_object or syntax_error or data_exception or feature_not_supported or undefined_function or internal_error then
      raise exception 'there is no type %', quote_nullable(left(type, 200)) using errcode = 'PX400';
  end;
  return v_text;
end
$$;
