-- Keeps the definitions of tables and views as they are until the transaction ends, before their grants change: a GRANT
-- locks nothing, so that a simultaneous ALTER TABLE of the team would fail ("tuple concurrently updated"). With this lock it
-- waits. Readers and writers continue. A relation that the owner may not lock stays without the lock.
create or replace function portolan.hold_definitions(relations oid[]) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
begin
  for v_name in
    select c.oid::regclass::text from pg_class c
    where c.oid = any (relations) and c.relkind in ('r', 'p', 'v') -- PostgreSQL has LOCK for these alone
    order by c.oid
  loop
    begin
      execute format('lock table %s in access share mode', v_name);
    exception
      when insufficient_privilege then null; -- the owner may grant without SELECT
      when undefined_table then null; -- dropped meanwhile: the GRANT says so
    end;
  end loop;
end
$$;
