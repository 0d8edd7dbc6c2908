-- SQL that adds, alters or drops a column, for change_schema. Raises PX400.
create or replace function portolan.column_ddl(change jsonb, relation text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_column text := portolan.identifier(coalesce(change ->> 'column', change ->> 'name'));
  v_alter text := format('alter table %s alter column %s ', relation, v_column);
begin
  case change ->> 'op'
    when 'add_column' then
      return format('alter table %s add column %s;', relation, portolan.column_sql(change))
        || case when (select c.relkind from pg_class c where c.oid = relation::regclass) in ('r', 'p')
          then portolan.spatial_index_sql(jsonb_build_array(change), relation) else '' end
        || case when change ->> 'comment' is null then ''
          else format(E'\ncomment on column %s.%s is %L;', relation, v_column, change ->> 'comment') end;
    when 'drop_column' then
      return format('alter table %s drop column %s;', relation, v_column);
    when 'alter_column' then
      return nullif(concat_ws(
        E'\n',
        case when change ? 'type' then
          v_alter || format('type %1$s using %2$s::%1$s;', portolan.column_type(change ->> 'type'), v_column) end,
        case change -> 'nullable' when 'true' then v_alter || 'drop not null;' when 'false' then v_alter || 'set not null;' end,
        case jsonb_typeof(change -> 'default')
          when 'null' then v_alter || 'drop default;'
          when 'object' then v_alter || format('set default %s;', portolan.default_sql(change -> 'default'))
        end,
        case when change ? 'name' then
          format('alter table %s rename column %s to %s;', relation, v_column, portolan.identifier(change ->> 'name')) end), '');
  end case;
end
$$;
