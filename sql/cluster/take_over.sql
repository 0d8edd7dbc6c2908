-- Hands everything that Portolan keeps for a table to another, which is now what that was.
create or replace function portolan.take_over(before oid, now oid) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'portolan'::regnamespace and c.relkind = 'r'
      and a.attname = 'relation' and a.atttypid = 'regclass'::regtype and not a.attisdropped
  loop
    execute format('update %s set relation = $2 where relation = $1', v_table) using before, now;
  end loop;
end
$$;
