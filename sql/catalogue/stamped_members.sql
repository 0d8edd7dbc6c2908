-- The relations under which the outbox records writes to a table: the table, its partitions, and its partitioned parents.
-- Null where a write could go unnoticed: one of them lacks the triggers of both events and history, or one is disabled, or
-- it is a foreign table, or it shares its rows by INHERITS.
create or replace function portolan.stamped_members(relation oid) returns oid[]
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class record;
  v_members oid[] := array[relation];
begin
  select c.relkind, c.relispartition into v_class from pg_class c where c.oid = relation;
  if v_class.relkind is null or v_class.relkind not in ('r', 'p') then
    return null;
  elsif v_class.relkind = 'p' or v_class.relispartition then
    v_members := array(
      select p.relid::oid from pg_partition_tree(relation) p
      union
      select a.relid::oid from pg_partition_ancestors(relation) a (relid)
      order by 1);
  elsif exists (select from pg_inherits i where i.inhparent = relation or i.inhrelid = relation) then
    return null;
  end if;
  if exists (
    select from unnest(v_members) m (oid)
    where 4 > all (
      select count(t.oid)
      from (values ('keep_history'), ('emit_event')) k (task)
        left join pg_trigger t
          on t.tgrelid = m.oid and t.tgenabled in ('O', 'A')
          and t.tgfoid = to_regprocedure(format('portolan.tg_%s__%s()', m.oid, k.task))
          -- earlier triggers of history did not write it
          and exists (select from pg_proc p where p.oid = t.tgfoid and position('portolan.outbox' in p.prosrc) > 0)
      group by k.task))
  then
    return null;
  end if;
  return v_members;
end
$$;
