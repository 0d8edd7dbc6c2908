-- Since when the history of a table is kept; null where it is not, and for callers without any right on the table.
create or replace function portolan.versioned_since(relation regclass) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select v.since from portolan.my_histories v where v.relation = versioned_since.relation
$$;
