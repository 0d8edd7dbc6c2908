-- Drops the policies and triggers that Portolan has made on a table for its rules and workflow. The caller makes them
-- again, or needs none, in the same transaction, which locks others out of the table.
create or replace function portolan.drop_protection(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name name;
begin
  for v_name in
    select p.polname from pg_policy p where p.polrelid = relation and portolan.is_own_policy(p.polname)
  loop
    execute format('drop policy %I on %s', v_name, relation);
  end loop;
  for v_name in
    select t.tgname
    from pg_trigger t
    where t.tgrelid = relation and not t.tgisinternal
      and t.tgfoid = 'portolan.tg__refuse_denied()'::regprocedure
  loop
    execute format('drop trigger %I on %s', v_name, relation);
  end loop;
end
$$;
