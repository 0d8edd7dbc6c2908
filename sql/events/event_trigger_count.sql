-- How many of its four triggers of events a table has that call its own function in its present form.
create or replace function portolan.event_trigger_count(relation oid) returns bigint
  language sql stable
as $$
  with f as materialized ( -- made once, not for each trigger
    select portolan.event_trigger_body(relation) as body
  )
  select count(*)
  from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid
    join f on f.body = p.prosrc
  where t.tgrelid = relation and p.oid = to_regprocedure(format('portolan.tg_%s__emit_event()', relation))
$$;
