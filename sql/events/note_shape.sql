-- Keeps what the columns of a table are now, unless that is known, so that records which were written with them can be
-- read later on. Called when events are switched on, by sync_events after DDL, and by the first to write after DDL.
create or replace function portolan.note_shape(relation oid) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into portolan.shapes (relation, stamp, attnums, names, types)
  select
    note_shape.relation,
    k.stamp,
    array_agg(a.attnum order by a.attnum),
    array_agg(a.attname::text order by a.attnum),
    array_agg(a.atttypid order by a.attnum)
  from pg_catalog.pg_attribute a, portolan.shape_stamp(note_shape.relation) k (stamp)
  where a.attrelid = note_shape.relation and a.attnum > 0 and not a.attisdropped
    and not exists (
      select from portolan.shapes s where s.relation = note_shape.relation and s.stamp = k.stamp)
  group by k.stamp
$$;

comment on function portolan.note_shape(oid) is 'Keeps what the columns of a table are now.';

revoke execute on function portolan.note_shape(oid) from public;
