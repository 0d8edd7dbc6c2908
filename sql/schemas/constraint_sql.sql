-- A constraint in SQL: {"name"?, "kind": "primary_key" | "unique" | "foreign_key" | "check", "columns"}; for a foreign key
-- also {"references": {"schema", "table", "columns"}, "on_delete"?, "on_update"?}, for a check {"operator", "value"}, where
-- `in` takes a list. Raises PX400.
create or replace function portolan.constraint_sql(wanted jsonb) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_columns text := portolan.identifiers(wanted -> 'columns');
  v_actions constant text[] := '{no action,restrict,cascade,set null,set default}';
  v_to jsonb := wanted -> 'references';
  v_operator text := wanted ->> 'operator';
  v_name text := case when wanted ->> 'name' is not null then format('constraint %s ', portolan.identifier(wanted ->> 'name')) else '' end;
begin
  case wanted ->> 'kind'
    when 'primary_key' then
      return format('%sprimary key (%s)', v_name, v_columns);
    when 'unique' then
      return format('%sunique (%s)', v_name, v_columns);
    when 'foreign_key' then
      if not (coalesce(wanted ->> 'on_delete', 'no action') = any (v_actions)
        and coalesce(wanted ->> 'on_update', 'no action') = any (v_actions))
      then
        raise exception 'on_delete and on_update must be one of: %', array_to_string(v_actions, ', ') using errcode = 'PX400';
      end if;
      return format('%sforeign key (%s) references %s.%s (%s)%s%s', v_name, v_columns, portolan.identifier(v_to ->> 'schema'),
        portolan.identifier(v_to ->> 'table'), portolan.identifiers(v_to -> 'columns'),
        ' on delete ' || (wanted ->> 'on_delete'), ' on update ' || (wanted ->> 'on_update'));
    when 'check' then
      if v_operator = 'in' then
        return format('%scheck (%s in (%s))', v_name, v_columns, (
          select string_agg(quote_literal(v), ', ') from jsonb_array_elements_text(wanted -> 'value') v));
      elsif v_operator = any ('{=,<>,<,<=,>,>=,~}') then
        return format('%scheck (%s %s %L)', v_name, v_columns, v_operator, wanted ->> 'value');
      end if;
      raise exception 'the operator of a check must be =, <>, <, <=, >, >=, ~ or in' using errcode = 'PX400';
  end case;
end
$$;
