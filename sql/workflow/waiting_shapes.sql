-- The geometries of an unpublished row of a table with a workflow, in the order of their columns. Each is given as it
-- was when the row was last published, if the history of the table has it, and as it is now. shown_shape draws both.
-- Columns that the caller may not read are left out, and so is a row that the caller does not see. key: see
-- key_condition. Security invoker. Raises PX400, and PX409 while the history follows DDL.
create or replace function portolan.waiting_shapes(relation regclass, key text)
  returns table ("column" text, before jsonb, after jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_history regclass := case when portolan.versioned_since(relation) is not null then portolan.history_of(relation) end;
  v_postgis text := portolan.postgis_schema();
  v_column text;
begin
  if not portolan.has_workflow(relation) then
    raise exception '% has no workflow', relation using errcode = 'PX400';
  end if;
  foreach v_column in array portolan.geometry_columns(relation) loop
    continue when not has_column_privilege(relation, v_column, 'select');
    return query execute format(
      'select $1, %s, portolan.shown_shape(t.%I, %L) from %s t where t.portolan_status < 3 and %s',
      case
        when has_column_privilege(v_history, v_column, 'select') then format(
          '(select portolan.shown_shape(h.%I, %L) from %s h where %s and h.portolan_status = 3 '
          'and portolan.fresh_history(%L::regclass) order by h.portolan_from desc limit 1)',
          v_column, v_postgis, v_history, portolan.key_condition(relation, key, 'h'), relation)
        else 'null::jsonb'
      end,
      v_column, v_postgis, relation, portolan.key_condition(relation, key, 't')) using v_column;
  end loop;
end
$$;
