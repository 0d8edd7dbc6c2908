-- Where they returned nothing, as in 0.2.0, their file makes them again: PostgreSQL changes no type of a result.
drop function if exists portolan.bind_own_session(integer, text, inet, text);
do $$
begin
  if exists (
    select from pg_catalog.pg_proc p
    where p.oid = pg_catalog.to_regprocedure('portolan.bind_own_session(integer, text, inet, text, text, jsonb)')
      and p.prorettype = 'pg_catalog.void'::pg_catalog.regtype)
  then
    drop function portolan.bind_own_session(integer, text, inet, text, text, jsonb);
  end if;
end
$$;
