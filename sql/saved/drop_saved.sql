-- Removes a saved thing (see saved_kinds). Raises PX403 for another account's, PX404 for one that the caller cannot see.
create or replace function portolan.drop_saved(noun text, name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table name;
  v_count integer;
begin
  select k.relation into strict v_table from portolan.saved_kinds() k where k.noun = drop_saved.noun;
  perform portolan.check_saved(noun, array[name]);
  execute format('delete from portolan.%I m where m.name = $1', v_table) using name;
  get diagnostics v_count = row_count;
  if v_count = 0 then
    raise exception 'the % "%" belongs to another account', noun, name using errcode = 'PX403';
  end if;
end
$$;
