-- The sizes of the tables in the shown schemas, the largest first, partitions counted with their table: bytes of rows and of
-- indexes, the estimated number of rows, how often they were read by a sequential scan and by an index since PostgreSQL's
-- counters were reset, and, as SQL, missing indexes of foreign keys and geometries, which joins, deletes and maps would use.
-- GET /sizes, `portolan table sizes`.
create or replace function portolan.list_sizes()
  returns table (
    schema text, name text, rows bigint, table_bytes bigint, index_bytes bigint, whole_reads bigint, index_reads bigint,
    missing_indexes text[])
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: a caller who may not read a table need not know its indexes
as $$
  with tables as (
    select c.oid, n.nspname, c.relname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    -- a sub-query runs once, a function for each table
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ((select portolan.shown_schemas())::text[])
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), indexed (oid, first_columns) as ( -- of whole indexes only
    select i.indrelid, (string_to_array(i.indkey::text, ' '))[:i.indnkeyatts]::smallint[]
    from pg_index i
    where i.indisvalid and i.indpred is null
  ), wanted (oid, statement) as (
    select t.oid, format('create index on %I.%I (%s);', t.nspname, t.relname, (
      select string_agg(quote_ident(a.attname), ', ' order by k.n)
      from unnest(f.conkey) with ordinality k (attnum, n)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum))
    from tables t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    where not exists (
      select from indexed i
      where i.oid = t.oid and i.first_columns[:cardinality(f.conkey)] @> f.conkey)
    union
    select t.oid, format('create index on %I.%I using gist (%I);', t.nspname, t.relname, a.attname)
    from tables t
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      join pg_type y on y.oid = a.atttypid and y.typname in ('geometry', 'geography')
    where not exists (select from indexed i where i.oid = t.oid and i.first_columns[1] = a.attnum)
  )
  select
    t.nspname, t.relname, portolan.row_estimate(t.oid), s.table_bytes, s.index_bytes, s.whole_reads, s.index_reads,
    array(select w.statement from wanted w where w.oid = t.oid order by w.statement)
  from tables t
    cross join lateral (
      select
        coalesce(sum(pg_table_size(m.relid)), 0)::bigint as table_bytes,
        coalesce(sum(pg_indexes_size(m.relid)), 0)::bigint as index_bytes,
        coalesce(sum(pg_stat_get_numscans(m.relid)), 0)::bigint as whole_reads,
        coalesce(sum((select sum(pg_stat_get_numscans(i.indexrelid)) from pg_index i where i.indrelid = m.relid)), 0)::bigint
          as index_reads
      from (select p.relid from pg_partition_tree(t.oid) p union select t.oid) m
    ) s
  order by s.table_bytes + s.index_bytes desc, t.nspname, t.relname
$$;
