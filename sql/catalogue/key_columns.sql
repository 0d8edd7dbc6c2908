-- The columns of a table's primary key, in order. Empty without a key.
create or replace function portolan.key_columns(relation oid) returns text[]
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(array_agg(a.attname::text order by k.place), '{}')
    from pg_constraint c
      cross join unnest(c.conkey) with ordinality k (attnum, place)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
    where c.conrelid = relation and c.contype = 'p');
end
$$;
