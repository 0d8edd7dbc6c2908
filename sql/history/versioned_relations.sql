-- The tables that have history: what SQL of one's own reads them from at an instant, which takes the instant as its one
-- argument, and since when there is history, which is the beginning of a collection's temporal extent.
create or replace function portolan.versioned_relations()
  returns table (schema text, name text, source text, since timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read versioned_tables
as $$
  select n.nspname::text, c.relname::text, format('%I.%I', h.nspname, 'as_of_' || t.relname), v.since
  from portolan.versioned_tables v
    join pg_class c on c.oid = v.relation
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class t on t.oid = v.history
    join pg_namespace h on h.oid = t.relnamespace
  where v.active and not v.filling
$$;
