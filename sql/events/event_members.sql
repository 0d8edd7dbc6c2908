-- A table and its partitions, sorted: the relations that need triggers of events.
create or replace function portolan.event_members(relation oid) returns oid[]
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array(
      select p.relid::oid from pg_partition_tree(relation) p
      union
      select relation
      order by 1));
end
$$;
