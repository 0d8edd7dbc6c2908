-- Drops the function as_of_… that reads a twin, before the twin changes.
create or replace function portolan.drop_as_of(history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_function regprocedure;
begin
  select to_regprocedure(format('%I.%I(timestamptz)', n.nspname, 'as_of_' || c.relname)) into v_function
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = history;
  if v_function is not null then
    execute format('drop function %s', v_function);
  end if;
end
$$;
