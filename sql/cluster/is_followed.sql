-- Whether events of the table come from the logs of the nodes of Citus, and not from triggers.
create or replace function portolan.is_followed(relation oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.has_citus() and exists (
    select from unnest(portolan.event_members(relation)) m where portolan.shard_kind(m) is not null)
$$;
