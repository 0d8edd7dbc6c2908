-- Makes the transactions that change accounts, rights, rules or what tables record wait for one another, and for a
-- migration: PostgreSQL refuses a GRANT on an object on which another transaction grants at the moment ("tuple concurrently
-- updated"), and what one checks the other may be about to change. Called first by the functions that do so.
-- A lock on a table that only the owner may lock, not an advisory one: no account can hold it up.
--
-- The order of locks, which everything in this schema keeps, so that none of it ends in a deadlock with another part:
--   1. portolan.rules. Whoever writes rules locks it as every INSERT does, before anything else: so create_rule, update_rule,
--      drop_rule and apply_configuration name it first. DDL of the team locks it in share mode (tg__follow_ddl): a rule that
--      is being written must not miss a new table. A migration locks it alone. All others look at it here, so that
--      they wait for a TRUNCATE of it before they hold anything.
--   2. portolan.migrations, by this function. It stands for everything that follows. A trigger before each statement
--      that writes rules calls it (tg_rules__one_at_a_time), so that no row of them is locked before. Who holds it does not
--      lock portolan.rules any stronger any more.
--   3. Rows of tables in schema portolan.
--   4. Tables of the team, in the order of their numbers. Jobs that nobody waits for give up after 300 ms at most
--      (sync_events, compile, work_job), and are tried again.
-- A transaction of the team that writes its tables holds number 4 already. Where it then writes rules, it may meet somebody
-- who protects the same table, and one of the two is refused: such a script writes the rules first.
-- test/sql/lockOrder.test.ts runs each of these beside each other.
create or replace function portolan.one_at_a_time() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  lock table portolan.rules in access share mode;
  lock table portolan.migrations in share row exclusive mode;
end
$$;
