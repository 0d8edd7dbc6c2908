-- The names of a JSON array, quoted, with commas. Raises PX400, also for an empty list.
create or replace function portolan.identifiers(names jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text := (
    select string_agg(portolan.identifier(n.name), ', ' order by n.place)
    from jsonb_array_elements_text(names) with ordinality n (name, place));
begin
  if v_names is null then
    raise exception 'name at least one column' using errcode = 'PX400';
  end if;
  return v_names;
end
$$;
