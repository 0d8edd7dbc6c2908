-- Drops the triggers of events from one table, and their function. Raises 42501 where the table is not the owner's of
-- Portolan: it takes ownership to drop a trigger.
create or replace function portolan.drop_event_triggers(relation oid) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_trigger record;
begin
  for v_trigger in
    select t.tgname, t.tgrelid::regclass as member
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = relation and p.pronamespace = 'portolan'::regnamespace and p.proname like 'tg\_%\_\_emit\_event'
  loop
    begin
      execute format('drop trigger %I on %s', v_trigger.tgname, v_trigger.member);
    exception
      when insufficient_privilege then
        raise exception 'Portolan may not drop triggers of %', v_trigger.member
          using errcode = '42501', hint = format('drop trigger %I on %s', v_trigger.tgname, v_trigger.member);
    end;
  end loop;
  execute format('drop function if exists portolan.tg_%s__emit_event()', relation);
end
$$;

comment on function portolan.drop_event_triggers(oid) is 'Drops the triggers of events from one table.';

revoke execute on function portolan.drop_event_triggers(oid) from public;
