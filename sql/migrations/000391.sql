-- Where the function gave nothing back, as it did at first, it is made anew by its file: PostgreSQL changes no type of a result.
do $$
begin
  if exists (
    select from pg_catalog.pg_proc p
    where p.oid = pg_catalog.to_regprocedure('portolan.follow_console(text)')
      and p.prorettype = 'pg_catalog.void'::pg_catalog.regtype)
  then
    drop function portolan.follow_console(text);
  end if;
end
$$;
