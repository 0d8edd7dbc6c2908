-- Runs a GRANT, a REVOKE or a statement that removes an account's grants. It runs it again if another session's DDL has
-- changed the same row of the catalogue meanwhile, because PostgreSQL then does not wait but fails ("tuple concurrently
-- updated").
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
