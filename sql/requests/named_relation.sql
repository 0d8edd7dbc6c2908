-- The table or view that a message of PostgreSQL names, with its schema or without; null where there is none, or where several
-- schemas have one of that name. The history of a table has its name too, and is not meant.
create or replace function portolan.named_relation(name text) returns regclass
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case when count(*) = 1 then min(c.oid::bigint)::oid::regclass end
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and named_relation.name in (c.relname, n.nspname || '.' || c.relname)
    and n.nspname !~ '^(pg_|information_schema$|portolan)'
    and not exists (select from portolan.history_schemas h where h.name = n.nspname)
$$;
