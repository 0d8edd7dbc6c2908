-- When an account is removed or renamed, removes its name from the things that are shared with it (every column
-- `shared` of this schema), so that a later account of the same name does not see them.
create or replace function portolan.tg_users__forget_shared() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: saved things are other accounts'
as $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'portolan'::regnamespace and c.relkind = 'r'
      and a.attname = 'shared' and a.atttypid = 'text[]'::regtype and not a.attisdropped
    order by c.oid
  loop
    execute format(
      'update %s set shared = array_remove(array_replace(shared, $1, $2), null) where shared @> array[$1]', v_table)
      using old.name, case when tg_op = 'UPDATE' then new.name end;
  end loop;
  return null;
end
$$;
