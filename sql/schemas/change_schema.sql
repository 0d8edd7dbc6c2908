-- Makes, alters or drops a table, column, index, constraint, comment or enum from the parts of its definition, and returns
-- the SQL that ran; with `dry`, the SQL that would run. change: {"op", "schema", "table"?, …}, where op is create_table,
-- alter_table, drop_table (table_ddl), add_column, alter_column, drop_column (column_ddl), create_index, drop_index,
-- add_constraint, drop_constraint, comment (index_ddl), create_type, alter_type or drop_type (type_ddl). Security invoker:
-- the caller must own the object or be a member of the role that owns it, as every super user is of owner@. It waits at most
-- 5 s for a lock. The change is written to the audit. Raises PX400, PX404, 42501, 55P03, and PostgreSQL's errors of the SQL.
create or replace function portolan.change_schema(change jsonb, dry boolean default false) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_operations constant text[] := '{create_table,alter_table,drop_table,add_column,alter_column,drop_column,create_index,drop_index,
    add_constraint,drop_constraint,comment,create_type,alter_type,drop_type}';
  v_is_type boolean := coalesce(change ->> 'op' ~ '_type$', false);
  v_catalogue regclass := case when v_is_type then 'pg_type' else 'pg_class' end;
  v_name text;
  v_object oid;
  v_sql text;
begin
  if not coalesce(change ->> 'op' = any (v_operations), false) then
    raise exception 'op is one of %', array_to_string(v_operations, ', ') using errcode = 'PX400';
  elsif not v_is_type and change ->> 'op' <> 'create_table' and change ->> 'table' is null then
    raise exception 'table says which one is meant' using errcode = 'PX400';
  end if;
  v_name := format('%s.%s', portolan.identifier(change ->> 'schema'),
    portolan.identifier(coalesce(change ->> case when v_is_type then 'type' else 'table' end, change ->> 'name')));
  if not v_is_type and change ->> 'op' <> 'create_table' then
    perform portolan.visible_relation(change ->> 'schema', change ->> 'table');
  end if;
  v_sql := case
    when v_is_type then portolan.type_ddl(change, change ->> 'schema')
    when change ->> 'op' ~ '_table$' then portolan.table_ddl(change, v_name)
    when change ->> 'op' ~ '_column$' then portolan.column_ddl(change, v_name)
    else portolan.index_ddl(change, v_name)
  end;
  if v_sql is null then
    raise exception 'nothing is to be changed' using errcode = 'PX400';
  elsif not dry then
    perform portolan.limit_locks(coalesce(nullif(current_setting('lock_timeout'), '0'), '5s'));
    if change ->> 'op' not in ('create_table', 'create_type') then
      v_object := case when v_is_type then to_regtype(v_name)::oid else to_regclass(v_name)::oid end;
      perform portolan.hold_shape(v_catalogue, v_object) where v_object is not null;
    end if;
    execute v_sql;
    v_object := coalesce(v_object, case when v_is_type then to_regtype(v_name)::oid else to_regclass(v_name)::oid end);
    perform portolan.note_schema_change(v_catalogue, v_object);
  end if;
  return v_sql;
exception
  when insufficient_privilege then
    raise;
  when duplicate_table or duplicate_column or duplicate_object then
    raise exception '%', sqlerrm using errcode = 'PX409';
  when syntax_error_or_access_rule_violation then -- an object that the parts name does not exist, or does not fit
    raise exception '%', sqlerrm using errcode = 'PX400';
end
$$;
