-- Since when the history of a table is kept; null where it is not.
create or replace function portolan.versioned_since(relation regclass) returns timestamptz
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read versioned_tables
as $$
  select v.since from portolan.versioned_tables v where v.relation = versioned_since.relation and v.active and not v.filling
$$;
