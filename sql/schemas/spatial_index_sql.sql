-- SQL that makes the spatial indexes of new columns, each {"name", "type", "index"?}: for every geometry and geography
-- except those with "index": false. Without an index maps, tiles and a bbox read the whole table. Empty without such a
-- column. Raises PX400.
create or replace function portolan.spatial_index_sql(columns jsonb, relation text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(string_agg(
    E'\n' || format('create index on %s using gist (%s);', relation, portolan.identifier(c ->> 'name')), '' order by place), '')
  from jsonb_array_elements(columns) with ordinality e (c, place)
  where c -> 'index' is distinct from 'false'
    and portolan.column_type(c ->> 'type') ~ '^(\S+\.)?(geometry|geography)(\([^)]*\))?$'
$$;
