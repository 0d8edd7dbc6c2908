-- Makes the transactions that change accounts and rights wait for one another, and for a migration: PostgreSQL refuses a
-- GRANT on an object on which another transaction grants at the moment ("tuple concurrently updated"), and what one
-- checks the other may be about to change. Called first by the security definer functions that make roles or grant.
-- A lock on a table that only the owner may lock, not an advisory one: no account can hold it up.
create or replace function portolan.one_at_a_time() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  lock table portolan.migrations in share row exclusive mode;
end
$$;
