-- Checks the row of a saved view at every write. Raises PX400.
create or replace function portolan.tg_views__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  new.kind := coalesce(new.kind, 'grid');
  v_problem := case
    when (tg_op = 'INSERT' or new.relation is distinct from old.relation) and not exists (
      select from pg_class c where c.oid = new.relation and c.relkind in ('r', 'p', 'v', 'm', 'f'))
      then 'relation: must be a table or view, as schema.table'
    else portolan.view_problem(new.kind, new.filter, new.sort, new.columns, new.fields)
  end;
  if v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX400';
  end if;
  return new;
end
$$;
