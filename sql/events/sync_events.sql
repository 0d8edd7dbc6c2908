-- Makes the triggers of events match the settings. For each table its comment decides (`@events on|off`), else the last call
-- of enable_events or disable_events, else `everything`, for tables of the given schemas. New partitions get their triggers.
-- The gateway calls it when it first reads the catalogue and after DDL. Returns what could not be done, one sentence each;
-- `busy`: a table was locked, so that it is worth trying again.
create or replace function portolan.sync_events(schemas text[], everything boolean)
  returns table (problem text, busy boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make triggers is the owner's
  set lock_timeout = '300ms' -- a wait for this lock makes other writers wait
as $$
declare
  v_table record;
begin
  if not exists (select from portolan.event_tables_to_change(schemas, everything))
    and not exists (
      select from portolan.event_tables t where not exists (select from pg_class c where c.oid = t.relation))
  then
    return;
  end if;
  perform portolan.one_at_a_time();
  delete from portolan.event_tables t where not exists (select from pg_class c where c.oid = t.relation);
  for v_table in select c.relation, c.wanted from portolan.event_tables_to_change(schemas, everything) c loop
    begin
      if v_table.wanted then
        perform portolan.install_events(v_table.relation);
      else
        perform portolan.remove_events(v_table.relation);
      end if;
    exception
      when lock_not_available or deadlock_detected then
        problem := format('%s is in use', v_table.relation);
        busy := true;
        return next;
      when others then
        problem := sqlerrm;
        busy := false;
        return next;
    end;
  end loop;
  perform portolan.clear_event_functions();
exception
  when lock_not_available then
    problem := 'another transaction changes accounts or rights';
    busy := true;
    return next;
end
$$;
