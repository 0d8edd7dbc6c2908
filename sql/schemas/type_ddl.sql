-- SQL that makes, alters or drops an enum, for change_schema: {"name", "values"}, {"type", "name"?, "add"?: {"value",
-- "before"? | "after"?}, "rename"?: {"value", "to"}}. owner@ owns a new enum. Raises PX400, PX404.
create or replace function portolan.type_ddl(change jsonb, schema_name text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_name text := coalesce(change ->> 'type', change ->> 'name');
  v_type text := format('%s.%s', portolan.identifier(schema_name), portolan.identifier(v_name));
  v_add jsonb := change -> 'add';
  v_rename jsonb := change -> 'rename';
begin
  if change ->> 'op' = 'create_type' then
    return format(E'create type %s as enum (%s);\nalter type %1$s owner to %3$I;', v_type, (
      select string_agg(quote_literal(v.label), ', ' order by v.place)
      from jsonb_array_elements_text(change -> 'values') with ordinality v (label, place)), portolan.role_name('owner'));
  elsif not exists (
    select from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'e' and n.nspname = schema_name and t.typname = v_name)
  then
    return portolan.raise_not_found('enum', v_name, schema_name);
  elsif change ->> 'op' = 'drop_type' then
    return format('drop type %s;', v_type);
  end if;
  return nullif(concat_ws(
    E'\n',
    case when v_add ? 'value' then
      format('alter type %s add value %L', v_type, v_add ->> 'value')
        || case when v_add ? 'before' then format(' before %L', v_add ->> 'before')
          when v_add ? 'after' then format(' after %L', v_add ->> 'after') else '' end || ';' end,
    case when v_rename ? 'value' then
      format('alter type %s rename value %L to %L;', v_type, v_rename ->> 'value', v_rename ->> 'to') end,
    case when change ? 'name' then format('alter type %s rename to %s;', v_type, portolan.identifier(change ->> 'name')) end), '');
end
$$;
