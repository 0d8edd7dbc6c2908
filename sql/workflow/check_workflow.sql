-- Refuses a relation that cannot have a workflow, with the reason. Raises PX400, PX404.
create or replace function portolan.check_workflow(relation regclass) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class record;
begin
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind not in ('r', 'p') then
    raise exception '% is not a table', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: switch on workflow for %', relation, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relkind = 'r' and exists (
    select from pg_inherits i where i.inhrelid = relation or i.inhparent = relation)
  then
    raise exception '% has parents or children by INHERITS, where one row belongs to several tables', relation
      using errcode = 'PX400';
  elsif exists (
    select from pg_attribute a
    where a.attrelid = relation and not a.attisdropped
      and (a.attname = 'portolan_status' and a.atttypid <> 'smallint'::regtype
        or a.attname = 'portolan_workflow' and a.atttypid <> 'jsonb'::regtype))
  then
    raise exception '% has a column portolan_status or portolan_workflow of another type', relation using errcode = 'PX400';
  end if;
  perform portolan.refuse_sharded(relation, 'workflow is');
end
$$;
