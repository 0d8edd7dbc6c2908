-- The enums of a schema, with their labels in order.
create or replace function portolan.list_types(schema_name text) returns table (name text, "values" text[], description text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select t.typname::text,
    array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder),
    obj_description(t.oid, 'pg_type')
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where n.nspname = schema_name and t.typtype = 'e' and has_schema_privilege(n.oid, 'usage')
  order by t.typname
$$;
