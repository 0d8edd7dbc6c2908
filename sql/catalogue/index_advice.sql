-- SQL that makes indexes of columns that statements compare and that no index begins with. It covers tables in the shown
-- schemas with 1,000 rows or more, and columns with more than ten values. `columns`: an array of {statement, schema, table,
-- column}, with `schema` null where the statement names none. GET /statements/top, `portolan statement top`.
create or replace function portolan.index_advice(columns jsonb) returns table (statement integer, advice text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: a caller who may not read a table need not know its indexes
as $$
  select distinct w.statement, format('create index on %I.%I %s(%I);', n.nspname, c.relname,
    case when y.typname in ('geometry', 'geography') then 'using gist ' else '' end, a.attname)
  from jsonb_to_recordset(columns) w (statement integer, schema text, "table" text, "column" text)
    join pg_class c on c.relname = w."table" and c.relkind in ('r', 'p') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = any ((select portolan.shown_schemas())::text[])
      and n.nspname = coalesce(w.schema, n.nspname)
    join pg_attribute a on a.attrelid = c.oid and a.attname = w."column" and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    left join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname and not s.inherited
  where portolan.row_estimate(c.oid) >= 1000
    and (y.typname in ('geometry', 'geography') or coalesce(s.n_distinct, -1) not between 0 and 10)
    and not exists (
      select from pg_index i
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null and (string_to_array(i.indkey::text, ' '))[1] = a.attnum::text)
    and y.typname not in ('json', 'jsonb', 'xml', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle') -- without an order
  order by w.statement, 2
$$;
