-- How Citus keeps a table: distributed (by a column), reference, schema (one shard, since its schema is distributed), local (a
-- table of the coordinator that Citus knows, because of foreign keys). Null where Citus does not know it.
create or replace function portolan.shard_kind(relation oid) returns text
  language plpgsql stable -- not sql: without Citus there is no such table
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not portolan.has_citus() then
    return null;
  end if;
  return (
    select case
      when p.partmethod <> 'n' then 'distributed'
      when p.repmodel = 't' then 'reference'
      when p.colocationid <> 0 then 'schema'
      else 'local'
    end
    from pg_dist_partition p
    where p.logicalrelid = relation);
end
$$;
