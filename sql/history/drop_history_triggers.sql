-- Drops the triggers that keep history from one table or partition, and their function. Raises 42501 where the table is
-- not the owner's of Portolan: it takes ownership to drop a trigger.
create or replace function portolan.drop_history_triggers(member oid) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_trigger record;
begin
  for v_trigger in
    select t.tgname, t.tgrelid::regclass as member
    from pg_trigger t
    where t.tgrelid = drop_history_triggers.member
      and t.tgfoid = to_regprocedure(format('portolan.tg_%s__keep_history()', t.tgrelid))
  loop
    execute format('drop trigger %I on %s', v_trigger.tgname, v_trigger.member);
  end loop;
  execute format('drop function if exists portolan.tg_%s__keep_history()', member);
end
$$;

comment on function portolan.drop_history_triggers(oid) is 'Drops the triggers that keep history from one table.';

revoke execute on function portolan.drop_history_triggers(oid) from public;
