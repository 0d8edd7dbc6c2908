-- The constraints of a table without NOT NULL, if the caller has a right to all of their columns, also to those of the
-- referenced table.
create or replace function portolan.list_constraints(relation regclass) returns table (name text, kind text, columns text[], definition text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select c.conname::text,
    case c.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'f' then 'foreign_key' when 'c' then 'check'
      else 'other' end,
    array(
      select a.attname::text
      from unnest(c.conkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
      order by k.place),
    pg_get_constraintdef(c.oid)
  from pg_constraint c
  where c.conrelid = relation and c.contype in ('p', 'u', 'f', 'c', 'x')
    and not exists (
      select from unnest(c.conkey) k
      where not has_column_privilege(c.conrelid, k, 'select, insert, update, references'))
    and not exists (
      select from unnest(c.confkey) k
      where not has_column_privilege(c.confrelid, k, 'select, insert, update, references'))
  order by c.conname
$$;
