-- Raises PX404 where the caller cannot see one of these saved things (see saved_kinds); null names nothing.
create or replace function portolan.check_saved(noun text, names text[]) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table name;
  v_unknown text;
begin
  select k.relation into strict v_table from portolan.saved_kinds() k where k.noun = check_saved.noun;
  execute format(
    'select n from unnest($1) n where not exists (select from portolan.%I m where m.name = n) limit 1', v_table)
    into v_unknown using names;
  if v_unknown is not null then
    raise exception 'there is no % "%"', noun, v_unknown using errcode = 'PX404';
  end if;
end
$$;
