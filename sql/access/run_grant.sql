-- Runs a GRANT, a REVOKE or a statement that removes an account's grants, and again where somebody's DDL has changed the
-- same row of the catalogue meanwhile: PostgreSQL does not wait for the other, but fails ("tuple concurrently updated"),
-- whenever somebody alters the table at the same time.
create or replace function portolan.run_grant(statement text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  for v_try in 1..10 loop
    begin
      execute statement;
      return;
    exception
      when internal_error then
        if v_try = 10 or sqlerrm !~ '^tuple concurrently (updated|deleted)$' then
          raise;
        end if;
    end;
  end loop;
end
$$;
