-- A text that changes with the columns of these relations. Called where the types of a method are stored and read.
create or replace function portolan.relations_stamp(relations oid[]) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select md5(coalesce(string_agg(
    concat_ws('.', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull), '|'
    order by a.attrelid, a.attnum), ''))
  from pg_attribute a
  where a.attrelid = any (relations) and a.attnum > 0 and not a.attisdropped
$$;
