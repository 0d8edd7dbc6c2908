-- The indexes of a table, if the caller has a right to all of their columns, or to the whole table for an index on
-- expressions; without the indexes of constraints, which are dropped with their constraint.
create or replace function portolan.list_indices(relation regclass)
  returns table (name text, columns text[], "unique" boolean, method text, constraint_name text, definition text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select x.relname::text,
    array(
      select coalesce(a.attname::text, pg_get_indexdef(i.indexrelid, k.place::integer, true))
      from unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
      order by k.place),
    i.indisunique, m.amname::text, c.conname::text, pg_get_indexdef(i.indexrelid)
  from pg_index i
    join pg_class x on x.oid = i.indexrelid
    join pg_am m on m.oid = x.relam
    left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid and c.contype in ('p', 'u', 'x')
  where i.indrelid = relation
    and case
      when i.indexprs is not null or i.indpred is not null then has_table_privilege(i.indrelid, 'select')
      else not exists (
        select from unnest(i.indkey::smallint[]) k
        where not has_column_privilege(i.indrelid, k, 'select, insert, update, references'))
    end
  order by x.relname
$$;
