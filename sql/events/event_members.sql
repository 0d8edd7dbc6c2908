-- A table and its partitions, sorted: the relations that need triggers of events.
create or replace function portolan.event_members(relation oid) returns oid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select array(
    select p.relid::oid from pg_partition_tree(relation) p
    union
    select relation
    order by 1)
$$;
