-- Runs a GRANT, a REVOKE or what takes an account's grants away, and again where somebody's DDL has changed the same entry of
-- the catalogue in between: PostgreSQL does not wait for the other, but fails ("tuple concurrently updated"), as often as
-- somebody alters the table that is granted on.
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
