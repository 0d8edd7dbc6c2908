-- A number that changes with the columns of a table and their types, but not with their names. A dropped column has the
-- type 0, and an attnum is never used again.
create or replace function portolan.shape_stamp(relation oid) returns bigint
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select bit_xor(a.attnum::bigint * 65599 * a.atttypid::bigint)
    from pg_attribute a
    where a.attrelid = relation and a.attnum > 0);
end
$$;
