-- Drops the indexes of a twin that would run code of a role that is no core owner at each write: those like an index of the
-- table that history_indexes says so of. They were made when that code counted as trusted.
create or replace function portolan.drop_indexes_with_code(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_index regclass;
begin
  for v_index in
    select j.indexrelid
    from portolan.history_indexes(relation) i
      join pg_index j on j.indrelid = history and j.indnatts = 1 and j.indclass[0] = i.operator_class
      join pg_attribute h on h.attrelid = history and h.attnum = j.indkey[0] and h.attname = i.column_name
    where i.has_code
  loop
    execute format('drop index %s', v_index);
  end loop;
end
$$;
