-- Whether the history of a table is kept.
create or replace function portolan.is_versioned(relation regclass) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read versioned_tables
as $$
  select exists (select from portolan.versioned_tables v where v.relation = is_versioned.relation and v.active and not v.filling)
$$;
