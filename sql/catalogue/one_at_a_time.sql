-- Serializes the transactions that change accounts, rights, rules or what tables record, and migrations. PostgreSQL refuses
-- a GRANT on an object on which another transaction grants at the moment ("tuple concurrently updated"), and one may be
-- about to change what another checks. The functions that make such changes call it first. It locks a table that only the
-- owner may lock, not an advisory lock: no account can hold it up. The rest of the transaction waits at most 5 s for each
-- lock, since all other changes wait for it: an author's open DDL must not keep them waiting.
--
-- The order of locks. Everything in this schema keeps it, so that no two parts deadlock:
--   1. portolan.rules. A transaction that writes rules locks it first, as every INSERT does: create_rule, update_rule,
--      drop_rule, drop_user and apply_configuration name it before anything else. DDL of the team locks it in share mode
--      (tg__follow_ddl): a rule that is being written must not miss a new table. A migration locks it exclusively. All
--      others read it here, so that they wait for a TRUNCATE of it before they hold anything.
--   2. portolan.migrations, by this function. It stands for everything that follows. A trigger before each statement
--      that writes rules calls it (tg_rules__one_at_a_time), so that no row of them is locked before. A transaction
--      that holds it takes no stronger lock on portolan.rules.
--   3. Rows of tables in schema portolan.
--   4. Tables of the team, in the order of their numbers. Jobs that nobody waits for give up after at most 300 ms
--      (sync_events, compile, work_job), and are tried again.
-- A transaction of the team that writes its tables holds number 4 already. If it then writes rules, it may meet another
-- transaction that protects the same table, and one of the two is refused: such a script should write the rules first.
-- test/sql/lockOrder.test.ts runs each pair of these at the same time.
create or replace function portolan.one_at_a_time() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.lock_own('portolan.rules', 'access share');
  perform portolan.lock_own('portolan.migrations', 'share row exclusive');
  if (nullif(current_setting('lock_timeout'), '0')::interval <= '5 s') is not true then
    perform portolan.limit_locks('5s');
  end if;
  perform portolan.shards_in_turn();
end
$$;
