-- Refuses a relation whose writes cannot be recorded, with the reason. what: "events are" or "history is kept". Raises
-- PX400.
create or replace function portolan.check_recorded(relation regclass, what text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class record;
begin
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind in ('v', 'm') then
    raise exception '% is a view, not a table: % of the tables beneath it', relation, what using errcode = 'PX400';
  elsif v_class.relkind = 'f' then
    raise exception '% is a foreign table, whose writes are not visible here', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: % of %', relation, what, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relpersistence <> 'p' then
    raise exception '% is unlogged or temporary: a crash empties it without a trace', relation using errcode = 'PX400';
  elsif exists (select from pg_partition_tree(relation) t join pg_class c on c.oid = t.relid where c.relkind = 'f') then
    raise exception '% has a foreign table as a partition, whose writes are not visible here', relation
      using errcode = 'PX400';
  elsif v_class.relkind = 'r' and exists (
    select from pg_inherits i where i.inhrelid = relation or i.inhparent = relation)
  then
    raise exception '% has parents or children by INHERITS, where one row belongs to several tables', relation
      using errcode = 'PX400';
  end if;
  if what = 'events are' and portolan.is_followed(relation) then
    perform portolan.check_followed(relation);
  else
    perform portolan.refuse_sharded(relation, what);
  end if;
end
$$;
