-- The estimated number of rows of a table and its partitions: the last count, scaled to the present number of pages.
create or replace function portolan.row_estimate(relation regclass) returns bigint
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(
    case when c.relpages > 0 then c.reltuples / c.relpages else 60 end
      * (pg_relation_size(c.oid) / current_setting('block_size')::integer)), 0)::bigint
  from unnest(portolan.event_members(relation)) m (oid) join pg_class c on c.oid = m.oid and c.relkind = 'r'
$$;
