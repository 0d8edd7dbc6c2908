-- Checks the row of a saved map in every write. Raises PX400.
create or replace function portolan.tg_maps__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  new.view := nullif(new.view, 'null');
  new.layers := coalesce(new.layers, '[]');
  v_problem := portolan.map_problem(new.view, new.layers);
  if v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX400';
  end if;
  return new;
end
$$;
