-- The names of groups in the member `user_group`: null, a name, or a list of names. In lower case, each once, in the order
-- of the list. Raises PX400 for anything else.
create or replace function portolan.group_list(groups jsonb) returns text[]
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(jsonb_typeof(groups), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(groups) = 'string' then
    return array[lower(groups #>> '{}')];
  end if;
  if jsonb_typeof(groups) <> 'array' or exists (
    select from jsonb_array_elements(groups) g (value) where jsonb_typeof(g.value) <> 'string')
  then
    raise exception 'user_group must be the name of an account, or a list of names' using errcode = 'PX400';
  end if;
  return coalesce((
    select array_agg(g.name order by g.place)
    from (
      select lower(e.value) as name, min(e.place) as place
      from jsonb_array_elements_text(groups) with ordinality e (value, place)
      group by 1
    ) g), '{}');
end
$$;
