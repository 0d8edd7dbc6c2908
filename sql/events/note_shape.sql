-- Stores the present columns of a table, unless they are known, so that records written with them can be read later. Called
-- when events are switched on, by sync_events after DDL, and by the first write after DDL.
create or replace function portolan.note_shape(relation oid) returns void
  language plpgsql volatile -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stamp bigint := portolan.shape_stamp(relation);
begin
  if exists (select from portolan.shapes s where s.relation = note_shape.relation and s.stamp = v_stamp) then
    return;
  end if;
  insert into portolan.shapes (relation, stamp, attnums, names, types)
  select
    note_shape.relation,
    v_stamp,
    array_agg(a.attnum order by a.attnum),
    array_agg(a.attname::text order by a.attnum),
    array_agg(a.atttypid order by a.attnum)
  from pg_attribute a
  where a.attrelid = note_shape.relation and a.attnum > 0 and not a.attisdropped
  having count(*) > 0;
end
$$;
