-- The names of the columns of a relation that are geometries or geographies of PostGIS, or domains over these, in their order.
create or replace function portolan.geometry_columns(relation regclass) returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select array(
    select a.attname::text
    from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and b.typname in ('geometry', 'geography') and quote_ident(portolan.postgis_schema())::regnamespace = b.typnamespace
    order by a.attnum)
$$;
