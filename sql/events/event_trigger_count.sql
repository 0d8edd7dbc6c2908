-- How many of its four triggers of events a table has that call its own function in its present form.
create or replace function portolan.event_trigger_count(relation oid) returns bigint
  language plpgsql stable -- not sql, which would plan it at each call, for each table that has events
  set plan_cache_mode = force_generic_plan
as $$
declare
  v_function oid := to_regprocedure(format('portolan.tg_%s__emit_event()', relation));
begin
  if not exists (
    select from pg_proc p where p.oid = v_function and p.prosrc = portolan.event_trigger_body(relation))
  then
    return 0;
  end if;
  return (select count(*) from pg_trigger t where t.tgrelid = relation and t.tgfoid = v_function);
end
$$;
