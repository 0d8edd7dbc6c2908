-- Takes the columns of a twin out of ANALYZE whose type is a range, or several ranges, with a function of another role for
-- the difference of two values: ANALYZE calls it with the rights of the twin's owner, and autovacuum runs ANALYZE on its
-- own.
create or replace function portolan.spare_ranges(history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_column name;
begin
  for v_column in
    select a.attname
    from pg_attribute a join pg_range r on a.atttypid in (r.rngtypid, r.rngmultitypid)
    where a.attrelid = history and a.attnum > 0 and not a.attisdropped
      and r.rngsubdiff::oid >= 16384 and a.attstattarget is distinct from 0
  loop
    execute format('alter table %s alter column %I set statistics 0', history, v_column);
  end loop;
end
$$;
