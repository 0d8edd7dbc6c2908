-- Marks the comparisons of leaky_functions as leakproof, so that the spatial index, and indexes on numbers and enums, are
-- used under row security. Takes a superuser; returns whether the mark is set.
create or replace function portolan.mark_leakproof() returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_function text;
  v_all boolean := true;
begin
  for v_function in select f.signature from portolan.leaky_functions() f
  loop
    begin
      execute format('alter function %s leakproof', v_function);
    exception
      when insufficient_privilege then v_all := false;
    end;
  end loop;
  return v_all;
end
$$;
