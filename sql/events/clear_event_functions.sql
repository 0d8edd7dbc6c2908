-- Drops the trigger functions of events that no trigger calls any more: those of dropped tables, and after a restore those
-- that are named by the oids before it.
create or replace function portolan.clear_event_functions() returns void
  language plpgsql volatile
as $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'portolan'::regnamespace and p.proname like 'tg\_%\_\_emit\_event'
      and not exists (select from pg_trigger t where t.tgfoid = p.oid)
  loop
    execute format('drop function %s', v_function);
  end loop;
end
$$;
